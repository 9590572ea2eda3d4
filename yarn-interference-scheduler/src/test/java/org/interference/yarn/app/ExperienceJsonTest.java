package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.interference.yarn.fixture.Reports.T0;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.Experience.Kept;
import org.interference.yarn.learn.Experience.Samples;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.RateRuns;
import org.interference.yarn.learn.RunTimesAlone;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperienceJsonTest {
    private static final int OBSERVATIONS = 60;

    private final Experience experience = experience(new Random(1));
    private final String text = ExperienceJson.write(experience);

    /** Of tasks of which not every signal was measured. */
    static Experience experience(Random random) {
        List<InterferenceVector> kinds = CoRuns.kinds(random, 5);
        List<Example> examples = CoRuns.examples(random, kinds, OBSERVATIONS);
        List<Kept> kept = IntStream.range(0, OBSERVATIONS)
                .mapToObj(i -> new Kept(
                        new Observation(
                                T0.plusMillis(i),
                                "tag/\"kind\"\n" + i % 5,
                                examples.get(i).situation(),
                                new Label(
                                        examples.get(i).slowdown(),
                                        i % 2 == 0 ? Label.Source.CPU_TIME : Label.Source.RUN_TIME,
                                        0.25)),
                        i / 40))
                .toList();
        return new Experience(
                new Samples(kept.subList(30, 50), kept.subList(0, 30), kept.subList(50, 60), 500, 400, 1, 40),
                Map.of("tag/a", new RunTimesAlone(3, 10.1, 0.3)),
                Map.of(
                        Signal.CPU, Map.of("tag/a", new RateRuns(2.99, -1.1, List.of(0.1, 0.25, 1e-3))),
                        Signal.INSTR, Map.of("tag/a", new RateRuns(1, 21, List.of(1e9)))));
    }

    @Test
    void whatIsWrittenIsReadBackAsItWas() {
        ExperienceJson.Read read = ExperienceJson.read(text.lines());

        assertThat(read.experience()).isEqualTo(experience);
        assertThat(read.damaged()).isZero();
    }

    @Test
    void damagedLineCostsItselfOnly() {
        String damaged = text.lines()
                .map(line -> line.contains("\"reservoir\"") && line.contains("7Z\"")
                        ? line.substring(0, line.length() / 2)
                        : line)
                .collect(Collectors.joining("\n"));

        ExperienceJson.Read read = ExperienceJson.read(damaged.lines());

        assertThat(read.damaged()).isPositive();
        assertThat(read.experience().samples().size()).isEqualTo(OBSERVATIONS - read.damaged());
        assertThat(read.experience().alone()).isEqualTo(experience.alone());
    }

    @Test
    void anInfiniteFigureDamagesItsLine() {
        List<String> lines = new ArrayList<>(text.lines().toList());
        String line = lines.get(1);
        lines.set(1, line.replaceFirst("(?<=\"figures\":\\[)[^,\\]]+", "1e999"));
        assertThat(lines.get(1)).isNotEqualTo(line);

        ExperienceJson.Read read = ExperienceJson.read(lines.stream());

        assertThat(read.damaged()).isEqualTo(1);
        assertThat(read.experience().samples().size()).isEqualTo(OBSERVATIONS - 1);
    }

    /** As long as it was all that was known, no line said so. */
    @Test
    void rateWithoutANameIsCpuTime() {
        String before = text.replace("\"rate\":\"cpu\",", "");

        assertThat(before).isNotEqualTo(text);
        assertThat(ExperienceJson.read(before.lines()).experience()).isEqualTo(experience);
    }

    /** It wrote none of the last figures, and what reads is to go on from the rest. */
    @Test
    void whatAReleaseWithoutPartsWroteIsRead() {
        String before = text.replaceAll(",\"parts\":\\[[^]]*]", "");
        assertThat(before).isNotEqualTo(text);

        ExperienceJson.Read read = ExperienceJson.read(before.lines());

        assertThat(read.damaged()).isZero();
        List<Kept> kept = read.experience().samples().recent();
        assertThat(kept).hasSameSizeAs(experience.samples().recent());
        for (int i = 0; i < kept.size(); i++) {
            double[] whole = experience
                    .samples()
                    .recent()
                    .get(i)
                    .observation()
                    .situation()
                    .figures()
                    .limit(Situation.WITHOUT_PARTS.size())
                    .toArray();
            assertThat(kept.get(i).observation().situation()).isEqualTo(Situation.withoutParts(whole));
        }
    }

    /** It knows the figures that it knew. */
    @Test
    void aReleaseWithoutPartsReadsWhatIsWritten() {
        assertThat(text.lines().findFirst().orElseThrow())
                .contains("\"format\":1", "\"beside.count\"]")
                .doesNotContain("\"beside.count\",");
    }

    @Test
    void missingLinesAreSaid() {
        ExperienceJson.Read read = ExperienceJson.read(text.lines().limit(11));

        assertThat(read.experience().samples().size()).isEqualTo(10);
        assertThat(read.damaged()).isEqualTo(OBSERVATIONS + 3 - 10);
    }

    @Test
    void anotherSchemaIsRefused() {
        assertThatThrownBy(() -> ExperienceJson.read(
                        text.replace("own.cpu\"", "own.gpu\"").lines()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("its figures are not those of this release");
        assertThatThrownBy(() -> ExperienceJson.read(
                        text.replace("\"format\":1", "\"format\":2").lines()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("its format is '2', not 1");
        assertThatThrownBy(() -> ExperienceJson.read("".lines())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whateverIsInTheFileItIsReadOrRefused(long seed) {
        Random broken = new Random(seed);
        for (int i = 0; i < 500; i++) {
            StringBuilder mutated = new StringBuilder(text);
            for (int j = 0; j <= broken.nextInt(40); j++) {
                // Half of them in the header and the first observations.
                int end = broken.nextBoolean() ? mutated.length() : 2000;
                mutated.setCharAt(broken.nextInt(end), (char) (' ' + broken.nextInt(95)));
            }
            try {
                Samples samples = ExperienceJson.read(mutated.toString().lines())
                        .experience()
                        .samples();
                assertThat(samples.size()).isLessThanOrEqualTo(OBSERVATIONS);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }
}
