package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.StringReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.ForestPlot.Row;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ForestPlotTest {
    @Test
    void everyComparedPolicyHasAnIntervalAndAPointInEveryPanel() throws Exception {
        Document svg = parse(plot().svg());

        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("World \"a\" <&> b");
    }

    @Test
    void whatCannotBeComparedSaysSo() {
        assertThat(plot().svg()).contains(">not compared<");
    }

    @Test
    void theColourTellsWhetherTheIntervalIsOnOneSideOfZero() {
        assertThat(svg(new Interval(5, 4, 6))).contains("#0969da").doesNotContain("#bc4c00");
        assertThat(svg(new Interval(-5, -6, -4))).contains("#bc4c00").doesNotContain("#0969da");
        assertThat(svg(new Interval(1, -4, 6))).doesNotContain("#0969da", "#bc4c00");
    }

    @Test
    void theFileIsTheSameWhateverTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.ROOT);
            String root = plot().svg();
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(plot().svg()).isEqualTo(root);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void theAxisHoldsEveryValueAndZeroBetweenRoundTicks() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            double scale = Math.pow(10, random.nextInt(5) - 1);
            double one = random.nextGaussian() * scale;
            double other = random.nextGaussian() * scale;

            Axis axis = Axis.over(DoubleStream.of(one, other));

            assertThat(axis.ticks()).hasSizeBetween(2, 7).contains(0.0);
            assertThat(axis.position(one)).isBetween(0.0, 1.0);
            assertThat(axis.position(other)).isBetween(0.0, 1.0);
        }
    }

    @Test
    void aRowHasAGainForEveryPanel() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ForestPlot(
                        "t", "less time", List.of("makespan", "turnaround"), List.of(new Row("fair", List.of()))));
    }

    private static String svg(Interval gain) {
        return new ForestPlot("t", "less time", List.of("makespan"), List.of(new Row("r", List.of(Optional.of(gain)))))
                .svg();
    }

    private static ForestPlot plot() {
        return new ForestPlot(
                "World \"a\" <&> b",
                "less time",
                List.of("makespan", "mean turnaround"),
                List.of(
                        new Row(
                                "ours-warm",
                                List.of(
                                        Optional.of(new Interval(-12.34, -20, -3)),
                                        Optional.of(new Interval(1.5, -1, 4)))),
                        new Row("matching", List.of(Optional.empty(), Optional.of(new Interval(30, 20, 41))))));
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }
}
