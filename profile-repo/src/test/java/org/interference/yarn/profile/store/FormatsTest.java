package org.interference.yarn.profile.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.Modes;
import org.interference.yarn.profile.RunTimes;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes in and out: the JSON document and the original IntP's lines. */
class FormatsTest {
    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void exportedDocumentIsImportedAgainAndItsOrderDoesNotMatter(long seed) throws IOException {
        List<TaskProfile> profiles = new ArrayList<>(RandomProfiles.of(new Random(seed)));
        byte[] document = document(profiles);

        Collections.shuffle(profiles, new Random(seed));

        assertThat(document(profiles)).isEqualTo(document);
        assertThat(ProfileDocument.read(document)).containsExactlyInAnyOrderElementsOf(profiles);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onOneLineItIsTheSameDocument(long seed) throws IOException {
        List<TaskProfile> profiles = RandomProfiles.of(new Random(seed));

        assertThat(onOneLine(profiles))
                .isEqualTo(new ObjectMapper().readTree(document(profiles)).toString());
    }

    /** As they were written of tasks that live long before 0.2.0 was released. */
    @Test
    void whatHasPhasesIsReadWithout() throws IOException {
        List<TaskProfile> profiles = RandomProfiles.of(new Random(1));
        ObjectMapper json = new ObjectMapper();
        JsonNode document = json.readTree(document(profiles));
        document.path("profiles").forEach(profile -> ((ObjectNode) profile)
                .set("phases", json.createObjectNode().put("WARM_UP", "any")));

        assertThat(ProfileDocument.read(json.writeValueAsBytes(document)))
                .containsExactlyInAnyOrderElementsOf(profiles);
    }

    @Test
    void documentOfNoProfilesIsOneToo() throws IOException {
        assertThat(onOneLine(List.of())).isEqualTo("{\"schema\":2,\"profiles\":[]}");
    }

    @Test
    void noMoreOfADocumentThanABufferIsInMemory() throws IOException {
        List<TaskProfile> profiles = Collections.nCopies(200, ofEverything(8));
        AtomicInteger longest = new AtomicInteger();
        OutputStream out = new OutputStream() {
            @Override
            public void write(int one) {
                longest.accumulateAndGet(1, Math::max);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                longest.accumulateAndGet(length, Math::max);
            }
        };

        ProfileDocument.write(profiles, out);
        ProfileDocument.writeOnOneLine(profiles, out);

        assertThat(longest).hasValueBetween(1, 1 << 16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100})
    void documentIsNoLargerThanOneOfAsManyProfilesCanBe(int count) throws IOException {
        List<TaskProfile> profiles = Collections.nCopies(count, ofEverything(8));

        assertThat((long) document(profiles).length).isLessThanOrEqualTo(ProfileDocument.mostBytes(count));
        assertThat((long) onOneLine(profiles).getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(ProfileDocument.mostBytes(count))
                .isGreaterThanOrEqualTo(count * ProfileDocument.mostBytes(1) / 2);
        assertThat(ProfileDocument.read(document(profiles))).isEqualTo(profiles);
    }

    /** The document may be large, so what one profile takes of the heap is bounded by what one has. */
    @Test
    void profileOfMoreThanThereCanBeIsRefused() throws IOException {
        byte[] document = document(List.of(ofEverything(9)));

        assertThatThrownBy(() -> ProfileDocument.read(document)).hasMessage("a profile of more than 8 launches");
    }

    /** A profile that has everything, in a key of six parts whose characters are all escaped. */
    private static TaskProfile ofEverything(int launches) {
        double figure = 2.2250738585072014E-308;
        Averages averages = new Averages(Long.MAX_VALUE, 32, figure, figure, figure, figure, figure);
        Modes modes = new Modes(
                Integer.MAX_VALUE,
                1.17549435E-38f,
                1.17549435E-38f,
                Integer.MAX_VALUE,
                1.17549435E-38f,
                1.1754945E-38f);
        Map<Signal, Averages> signals = new EnumMap<>(Signal.class);
        Map<Signal, Modes> kinds = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            signals.put(signal, averages);
        }
        for (Signal signal : Signal.predictors()) {
            kinds.put(signal, modes);
        }
        Map<LaunchSignature, Long> launched = new LinkedHashMap<>();
        for (int i = 0; i < launches; i++) {
            launched.put(new LaunchSignature(-1L - i), Long.MAX_VALUE);
        }
        List<Footprint.Bucket> peaks = IntStream.range(0, Footprint.MOST_BUCKETS)
                .mapToObj(i -> new Footprint.Bucket(300 + i, Long.MAX_VALUE / 64, figure))
                .toList();
        return new TaskProfile(
                new TaskKey(TaskKey.Level.CLUSTER, "\u0001".repeat(650)),
                Long.MAX_VALUE,
                signals,
                new RunTimes(averages, averages, averages),
                new Mixture(launched, kinds, Optional.of(new Mixture.Boundary(Signal.BLKWAIT, figure))),
                new Footprint(
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        figure,
                        Integer.MAX_VALUE,
                        figure,
                        new Footprint.Totals(figure, figure, figure, figure, figure, figure),
                        peaks),
                Instant.parse("2024-05-06T07:08:09.123456789Z"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damagedDocumentIsReadOrRefused(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] document = document(RandomProfiles.of(random));
        for (int i = 0; i <= random.nextInt(4); i++) {
            document[random.nextInt(document.length)] = (byte) random.nextInt(256);
        }

        try {
            assertThat(ProfileDocument.read(document)).isNotNull();
        } catch (IOException e) {
            assertThat(e).hasMessageNotContaining("null pointer");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{}", "{\"schema\":3,\"profiles\":[]}", "{\"schema\":2}", "not json"})
    void documentOfAnotherKindIsRefused(String document) {
        assertThatThrownBy(() -> ProfileDocument.read(document.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    /** However a document goes on, it is refused where a profile has become larger than one can be. */
    @ParameterizedTest
    @ValueSource(strings = {"[],", "1,", "{\"a\":[", "\"aaaaaaaaaaaaaaaaaa\",", "[", "a"})
    void profileThatDoesNotEndIsRefusedBeforeItFillsTheMemory(String endless) {
        String prefix = endless.equals("a") ? "\"" : "";
        Endless document = new Endless("{\"schema\":2,\"profiles\":[[" + prefix, endless);

        assertThatThrownBy(() -> ProfileDocument.read(document, 100_000)).isInstanceOf(IOException.class);
        assertThat(document.read).isLessThan(Endless.MUCH);
    }

    @Test
    void documentOfTooManyProfilesIsRefused() throws IOException {
        byte[] document = document(RandomProfiles.of(new Random(1)));
        int profiles = ProfileDocument.read(document).size();

        assertThat(ProfileDocument.read(new ByteArrayInputStream(document), profiles))
                .hasSize(profiles);
        assertThatThrownBy(() -> ProfileDocument.read(new ByteArrayInputStream(document), profiles - 1))
                .hasMessageContaining("more than %d profiles".formatted(profiles - 1));
    }

    @Test
    void documentWithoutAnEndIsRefused() throws IOException {
        byte[] document = document(RandomProfiles.of(new Random(1)));

        for (int length = 0; length < document.length - 2; length += 97) {
            byte[] begin = Arrays.copyOf(document, length);
            assertThatThrownBy(() -> ProfileDocument.read(begin)).isInstanceOf(IOException.class);
        }
    }

    /** Repeats itself for ever. */
    private static final class Endless extends InputStream {
        static final int MUCH = 1 << 20;

        private final String begin;
        private final String then;
        private int read;

        Endless(String begin, String then) {
            this.begin = begin;
            this.then = then;
        }

        @Override
        public int read() {
            int at = read++;
            if (at > MUCH) {
                throw new IllegalStateException("nobody has refused it");
            }
            return at < begin.length() ? begin.charAt(at) : then.charAt((at - begin.length()) % then.length());
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            bytes[offset] = (byte) read();
            return 1;
        }
    }

    @Test
    void lineOfTheOriginalToolIsRead() {
        assertThat(IntpCsv.parse("0;0;23;0;0;24;99\n1;2;3;4;5;6;7\n"))
                .containsExactly(
                        second(0.0, 0.0, 0.23, 0.0, 0.0, 0.24, 0.99), second(0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "netp;nets;blk;mbw;llcmr;llocc;cpu\n0;0;99.5;0;0;24;100\n",
                "netp\tnets\tblk\tmbw\tllcmr\tllocc\tcpu\r\n00\t00\t99.50\t00\t00\t24\t100\r\n",
                "\nNETP; nets; blk; mbw; llcmr; llocc; cpu;\n0; 0; 99.5; 0; 0; 24; 100.0;\n",
            })
    void traceIsReadWithItsHeaderAsScriptsPrintIt(String text) {
        assertThat(IntpCsv.parse(text)).containsExactly(second(0.0, 0.0, 0.995, 0.0, 0.0, 0.24, 1.0));
    }

    private static InterferenceVector second(
            double netp, double nets, double blk, double mbw, double llcmr, double llocc, double cpu) {
        return new InterferenceVector(Map.of(
                Signal.NETP,
                netp,
                Signal.NETS,
                nets,
                Signal.BLK,
                blk,
                Signal.MBW,
                mbw,
                Signal.LLCMR,
                llcmr,
                Signal.LLOCC,
                llocc,
                Signal.CPU,
                cpu));
    }

    @Test
    void namesOfTheFieldsAreOnlyReadAtTheBeginning() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IntpCsv.parse("1;2;3;4;5;6;7\nnetp;nets;blk;mbw;llcmr;llocc;cpu\n"))
                .withMessage("line 2: netp is 'netp' but must be a number from 0 to 100");
    }

    @Test
    void signalThatWasNotMeasuredIsAnEmptyFieldAndNotZero() {
        InterferenceVector levels =
                new InterferenceVector(Map.of(Signal.CPU, 0.5, Signal.BLK, 3.0, Signal.CPUWAIT, 0.1));

        assertThat(IntpCsv.format(levels)).isEqualTo(";;99;;;;50\n");
        assertThat(IntpCsv.parse(";;99;;;;50\n").get(0).levels()).containsOnlyKeys(Signal.BLK, Signal.CPU);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyLineIsWrittenAsItWasRead(long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 20; line++) {
            for (int column = 0; column < 7; column++) {
                text.append(column == 0 ? "" : ";").append(random.nextInt(8) == 0 ? "" : "" + random.nextInt(100));
            }
            text.append('\n');
        }

        StringBuilder written = new StringBuilder();
        IntpCsv.parse(text.toString()).forEach(second -> written.append(IntpCsv.format(second)));

        assertThat(written).hasToString(text.toString());
    }

    @Test
    void meanIsOverTheSecondsInWhichTheSignalWasMeasured() {
        List<InterferenceVector> seconds = IntpCsv.parse(";;10;;;;20\n;;;;;;40\n");

        assertThat(IntpCsv.mean(seconds).level(Signal.BLK)).hasValue(0.1);
        assertThat(IntpCsv.mean(seconds).level(Signal.CPU).orElse(0)).isEqualTo(0.3, within(1e-9));
        assertThat(IntpCsv.mean(seconds).level(Signal.NETP)).isEmpty();
        assertThat(IntpCsv.peak(seconds).level(Signal.CPU)).hasValue(0.4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1;2;3 | line 1 has 3 fields but must have 7: netp;nets;blk;mbw;llcmr;llocc;cpu",
                "1;2;3;4;5;6;7;8 | line 1 has 8 fields but must have 7: netp;nets;blk;mbw;llcmr;llocc;cpu",
                "1;2;3;4;5;6;100.1 | line 1: cpu is '100.1' but must be a number from 0 to 100",
                "-1;2;3;4;5;6;7 | line 1: netp is '-1' but must be a number from 0 to 100",
                "1;2;3;4;5;6;7e1 | line 1: cpu is '7e1' but must be a number from 0 to 100",
                "cpu;nets;blk;mbw;llcmr;llocc;netp | line 1: netp is 'cpu' but must be a number from 0 to 100",
            })
    void lineOfAnotherToolIsRefusedWithItsNumber(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IntpCsv.parse(line))
                .withMessage(message);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomTextIsReadOrRefused(long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < random.nextInt(200); i++) {
            text.append("0123456789;;;;;; \n\t-.a\u0661".charAt(random.nextInt(23)));
        }

        try {
            assertThat(IntpCsv.parse(text.toString())).isNotNull();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("line ");
        }
    }

    private static byte[] document(List<TaskProfile> profiles) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProfileDocument.write(profiles, out);
        return out.toByteArray();
    }

    private static String onOneLine(List<TaskProfile> profiles) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProfileDocument.writeOnOneLine(profiles, out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
