package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.interference.yarn.fixture.Reports.T0;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.learn.cluster.Characteriser;
import org.interference.yarn.predict.BoostedModel;
import org.interference.yarn.predict.BoostedTrainer;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.predict.Model;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Trainer;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.StoreDirectory;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFilesTest {
    private static final String ASIDE = ".unreadable-" + T0.toEpochMilli();

    private final Random random = new Random(1);
    private final List<Example> examples = CoRuns.examples(random, CoRuns.kinds(random, 6), 300);

    @TempDir
    private Path directory;

    @Test
    void storedModelAnswersAsBefore() throws IOException {
        ModelFiles files = files("models");
        ModelVersion linear = version(1, new LinearTrainer());
        ModelVersion boosted = version(2, new BoostedTrainer(PriorPredictor.PUBLISHED));
        assertThat(files.save(linear)).isEmpty();
        assertThat(files.save(boosted)).isEmpty();

        LearntStore.Learnt loaded = files("models").load();

        assertThat(loaded.problem()).isEmpty();
        assertThat(loaded.versions()).extracting(ModelVersion::number).containsExactly(1, 2);
        assertThat(loaded.versions().get(1).trainedAt()).isEqualTo(T0);
        for (Example asked : examples) {
            assertThat(loaded.versions().get(0).predictor().predict(asked.situation()))
                    .isEqualTo(linear.predictor().predict(asked.situation()));
            assertThat(loaded.versions().get(1).predictor().predict(asked.situation()))
                    .isEqualTo(boosted.predictor().predict(asked.situation()));
        }
    }

    /** Its trees correct the prior that it was trained with, whatever the settings say in the next life. */
    @Test
    void modelThatCorrectsMeasuredFactorsKeepsThem() {
        PriorPredictor measured = new PriorPredictor(DegradationTable.parse("cpu=1.5/2/3, blk=1.1/1.2/5"));
        ModelVersion boosted = version(2, new BoostedTrainer(measured));

        String text = ModelJson.write(boosted);

        for (Example asked : examples) {
            assertThat(ModelJson.read(text).predictor().predict(asked.situation()))
                    .isEqualTo(boosted.predictor().predict(asked.situation()));
        }
        assertThat(text)
                .as("a release that knows one table alone, or no fair share, refuses it")
                .containsAnyOf("\"format\":3", "\"format\":4");
        assertThatThrownBy(() -> ModelJson.read(text.replace("cpu=1.5", "cpu=0.5")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Whatever it begins with. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5})
    void treesThatDoNotCarryOverDoNotAfterARestart(double share) {
        BoostedModel grown = new BoostedTrainer(PriorPredictor.PUBLISHED).train(examples);
        BoostedModel model =
                new BoostedModel(grown.corrected(), new BoostedModel.Base(0.5, share), grown.forest(), false);
        ModelVersion stored = version(1, new Trainer() {
            @Override
            public String name() {
                return BoostedTrainer.NAME;
            }

            @Override
            public Model train(List<Example> taught) {
                return model;
            }
        });

        assertThat(ModelJson.read(ModelJson.write(stored)).predictor().model().carries())
                .isFalse();
    }

    @Test
    void companyThatKindsWereSeenInIsReadBackAsItWas() throws JsonProcessingException {
        List<Example> ofKinds = IntStream.range(0, examples.size())
                .mapToObj(i -> new Example(
                        "kind \"" + i % 3,
                        examples.get(i).situation(),
                        examples.get(i).slowdown(),
                        1))
                .toList();
        LearnedPredictor predictor = new LearnedPredictor(
                "boosted", new BoostedTrainer(PriorPredictor.PUBLISHED).train(ofKinds), Domain.of(ofKinds));
        String text = ModelJson.write(new ModelVersion(1, T0, predictor, 60, 60, 0.05, 0.4, Map.of()));

        assertThat(text(ModelJson.read(text).predictor().domain())).isEqualTo(text(predictor.domain()));
        ObjectNode earlier = (ObjectNode) new ObjectMapper().readTree(text);
        ((ObjectNode) earlier.get("domain")).remove("kinds");
        assertThat(ModelJson.read(earlier.toString()).predictor().domain().kinds())
                .isEmpty();
        ((ObjectNode) earlier.get("domain")).putObject("kinds").putArray("sort").add(1);
        assertThatThrownBy(() -> ModelJson.read(earlier.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bounds");
    }

    private static Map<String, String> text(Domain domain) {
        return domain.kinds().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, kind -> Arrays.toString(kind.getValue())));
    }

    @Test
    void referenceNodeIsReadBackAsItWas() throws IOException {
        ModelFiles files = files("models");
        assertThat(files.reference()).isEqualTo(Capacities.UNKNOWN);
        Capacities reference = new Capacities(16, 64e9, Double.NaN, 1e10);

        assertThat(files.save(reference)).isEmpty();
        assertThat(files("models").reference()).isEqualTo(reference);

        Files.writeString(directory.resolve("models/reference-node-00000001.json"), "[16");
        assertThat(files.reference()).as("nothing that can be understood").isEqualTo(Capacities.UNKNOWN);
        assertThat(files.save(reference)).isEmpty();
        assertThat(files.reference()).isEqualTo(reference);
    }

    /** Whoever replaces it may be killed at any moment. */
    @Test
    void thereIsAReferenceNodeWhileItIsReplaced() throws IOException {
        Capacities first = new Capacities(16, 64e9, Double.NaN, Double.NaN);
        Capacities second = new Capacities(16, 64e9, 1e9, 1e10);
        Path models = Files.createDirectories(directory.resolve("models"));
        Files.writeString(models.resolve("reference-node.json"), ReferenceJson.write(first));
        assertThat(files("models").reference()).as("of an earlier version").isEqualTo(first);

        assertThat(files("models").save(second)).isEmpty();
        assertThat(models.resolve("reference-node.json")).doesNotExist();
        assertThat(files("models").reference()).isEqualTo(second);
        Files.writeString(models.resolve("reference-node.json"), ReferenceJson.write(first));
        assertThat(files("models").reference()).as("not deleted any more").isEqualTo(second);
        Files.writeString(models.resolve("reference-node-00000002.json"), "[16");
        assertThat(files("models").reference()).isEqualTo(second);
    }

    /** Otherwise this life's first node would take its place, and every profile in the store would be wrong. */
    @Test
    void referenceNodeThatCannotBeReadNowIsNotTakenForNone() {
        ModelFiles broken = new ModelFiles(
                "models",
                location -> {
                    throw new IOException("the file system is away");
                },
                () -> T0);

        assertThatThrownBy(broken::reference).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsAlikeIsReadBackAsItWas() throws IOException {
        SortedMap<String, InterferenceVector> profiles = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            profiles.put("task-" + i, new InterferenceVector(Map.of(Signal.CPU, i % 3 / 3.0, Signal.BLK, i / 100.0)));
        }
        Characterisation found = Characteriser.of(profiles, 0).orElseThrow();
        ModelFiles files = files("");
        assertThat(files.characterisation()).isEmpty();

        files.save(found);

        assertThat(files.characterisation()).hasValue(found);
        Files.writeString(directory.resolve("characterisation.json"), "{\"signals\":[]}");
        assertThat(files.characterisation()).isEmpty();
    }

    @Test
    void modelOfAnotherSchemaIsRefused() {
        String text = ModelJson.write(version(1, new LinearTrainer()));

        assertThatThrownBy(() -> ModelJson.read(text.replace("own.cpu\"", "own.gpu\"")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("its figures are not those of this release");
        assertThatThrownBy(() -> ModelJson.read(text.replace("\"format\":2", "\"format\":1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("its format is '1', not 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1e999", "\"1\""})
    void modelWithAFigureThatIsNoFiniteNumberIsRefused(String figure) {
        String linear = ModelJson.write(version(1, new LinearTrainer()));
        String boosted = ModelJson.write(version(2, new BoostedTrainer(PriorPredictor.PUBLISHED)));

        assertRefused(linear, "capacities", figure);
        assertRefused(linear, "coefficients", figure);
        assertRefused(boosted, "values", figure);
    }

    private static void assertRefused(String model, String array, String figure) {
        String text = model.replaceFirst("(?<=\"%s\":\\[)[^,\\]]+".formatted(array), figure);
        assertThat(text).isNotEqualTo(model);
        assertThatThrownBy(() -> ModelJson.read(text)).as(array).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void brokenFileIsNamedAndTheOthersAreUsed() throws IOException {
        ModelFiles files = files("");
        files.save(version(1, new LinearTrainer()));
        Files.writeString(directory.resolve("model-00000002.json"), "{");

        LearntStore.Learnt loaded = files.load();

        assertThat(loaded.versions()).extracting(ModelVersion::number).containsExactly(1);
        assertThat(loaded.problem().orElseThrow())
                .contains(
                        "model-00000002.json is not used: it is not JSON; it was moved to model-00000002.json.unreadable-");
        files.save(version(2, new LinearTrainer()));
        assertThat(files.load().versions()).extracting(ModelVersion::number).containsExactly(1, 2);
        assertThat(directory.resolve("model-00000002.json" + ASIDE)).hasContent("{");
    }

    /** As of another release, or of many: they are not among the newest that are kept. */
    @Test
    void modelsThatCannotBeUsedDoNotCrowdOutThoseThatCan() throws IOException {
        ModelFiles files = files("");
        for (int number = 1; number <= 20; number++) {
            Files.writeString(directory.resolve("model-%08d.json".formatted(100 + number)), "{\"format\":1}");
        }
        assertThat(files.load().versions()).isEmpty();

        files.save(version(1, new LinearTrainer()));

        assertThat(files.load().versions()).extracting(ModelVersion::number).containsExactly(1);
    }

    /** All of it is found again once it can be read: nothing was taken for damaged. */
    @ParameterizedTest
    @ValueSource(strings = {"list", "observations-00000001.jsonl", "model-00000001.json"})
    void whatCannotBeReadNowIsLeftAsItIs(String what) throws IOException {
        Experience experience = ExperienceJsonTest.experience(new Random(1));
        files("").save(experience);
        files("").save(version(1, new LinearTrainer()));
        Files.writeString(directory.resolve("model-00000002.json"), "{");
        StoreDirectory local = new LocalDirectory(directory);
        StoreDirectory fails = (StoreDirectory) Proxy.newProxyInstance(
                StoreDirectory.class.getClassLoader(),
                new Class<?>[] {StoreDirectory.class},
                (proxy, method, given) -> {
                    if (method.getName().equals(what)) {
                        throw new IOException("no answer");
                    }
                    return method.getName().equals("read") && given[0].equals(what)
                            ? new SequenceInputStream(local.read(what), breaksOff())
                            : method.invoke(local, given);
                });

        assertThatThrownBy(() -> new ModelFiles("models", location -> fails, () -> T0).load())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("models cannot be read")
                .hasMessageContaining("no answer");

        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder("observations-00000001.jsonl", "model-00000001.json", "model-00000002.json");
        LearntStore.Learnt loaded = files("").load();
        assertThat(loaded.experience()).isEqualTo(experience);
        assertThat(loaded.versions()).extracting(ModelVersion::number).containsExactly(1);
    }

    private static InputStream breaksOff() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("no answer");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whateverIsInTheFileNothingButAnArgumentExceptionIsThrown(long seed) {
        Random broken = new Random(seed);
        String text = ModelJson.write(
                version(1, new BoostedTrainer(PriorPredictor.PUBLISHED, new BoostedTrainer.Shape(3, 2, 0.1, 1))));
        for (int i = 0; i < 500; i++) {
            StringBuilder mutated = new StringBuilder(text);
            for (int j = 0; j <= broken.nextInt(4); j++) {
                mutated.setCharAt(broken.nextInt(mutated.length()), (char) (' ' + broken.nextInt(95)));
            }
            try {
                ModelJson.read(mutated.toString())
                        .predictor()
                        .predict(examples.get(0).situation());
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }

    /** Of two ResourceManagers the one that hung until it was no longer active goes on where it was. */
    @Test
    void whoSavesMeanwhileWritesAFileOfItsOwn() throws IOException {
        StoreDirectory local = new LocalDirectory(directory);
        StoreDirectory hangs = (StoreDirectory) Proxy.newProxyInstance(
                StoreDirectory.class.getClassLoader(),
                new Class<?>[] {StoreDirectory.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("rename")) {
                        assertThat(files("").save(version(2, new LinearTrainer())))
                                .isEmpty();
                    }
                    return method.invoke(local, given);
                });

        assertThat(new ModelFiles("", location -> hangs, () -> T0).save(version(1, new LinearTrainer())))
                .isEmpty();

        LearntStore.Learnt loaded = files("").load();
        assertThat(loaded.problem()).isEmpty();
        assertThat(loaded.versions()).extracting(ModelVersion::number).containsExactly(1, 2);
    }

    @Test
    void onlyTheNewestAreKept() throws IOException {
        ModelFiles files = files("");
        for (int number = 1; number <= 25; number++) {
            files.save(version(number, new LinearTrainer()));
        }

        assertThat(files.load().versions())
                .extracting(ModelVersion::number)
                .hasSize(20)
                .startsWith(6)
                .endsWith(25);
    }

    @Test
    void observationsAreKeptForTheNextLife() throws IOException {
        Experience first = ExperienceJsonTest.experience(new Random(1));
        Experience second = ExperienceJsonTest.experience(new Random(2));
        assertThat(files("").save(first)).isEmpty();
        assertThat(files("").load().experience()).isEqualTo(first);

        assertThat(files("").save(second)).isEmpty();

        assertThat(files("").load()).isEqualTo(new LearntStore.Learnt(List.of(), second, Optional.empty()));
        assertThat(directory.toFile().list()).containsExactly("observations-00000002.jsonl");
    }

    /** The process was killed after it had written the new one, or a disk has lost what it had. */
    @Test
    void newestObservationsThatCanBeReadAreUsed() throws IOException {
        Experience first = ExperienceJsonTest.experience(new Random(1));
        Experience second = ExperienceJsonTest.experience(new Random(2));
        files("").save(first);
        Files.writeString(directory.resolve("observations-00000002.jsonl"), "");
        Files.writeString(directory.resolve("next.json"), "half of the third");

        LearntStore.Learnt loaded = files("").load();

        assertThat(loaded.experience()).isEqualTo(first);
        assertThat(loaded.problem().orElseThrow()).contains("observations-00000002.jsonl is not used");
        files("").save(second);
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder("observations-00000002.jsonl", "observations-00000002.jsonl" + ASIDE);
        assertThat(files("").load().experience()).isEqualTo(second);
    }

    @Test
    void damagedObservationsAreSaidAndTheOthersUsed() throws IOException {
        Experience experience = ExperienceJsonTest.experience(new Random(1));
        files("").save(experience);
        Path file = directory.resolve("observations-00000001.jsonl");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(5, lines.get(5).replace("\"kind\":", "\"kind:"));
        Files.write(file, lines);

        ModelFiles files = files("");
        LearntStore.Learnt loaded = files.load();

        assertThat(loaded.experience().samples().size())
                .isEqualTo(experience.samples().size() - 1);
        assertThat(loaded.problem().orElseThrow())
                .endsWith("observations-00000001.jsonl: 1 lines are damaged and left out");
        assertThat(directory.toFile().list())
                .as("until its others are elsewhere")
                .containsExactly(file.toFile().getName());
        files.save(loaded.experience());
        assertThat(directory.resolve("observations-00000001.jsonl" + ASIDE)).hasContent(String.join("\n", lines));
        assertThat(files.load()).isEqualTo(new LearntStore.Learnt(List.of(), loaded.experience(), Optional.empty()));
    }

    @Test
    void whereNothingCanBeWrittenItIsSaid() throws IOException {
        Files.writeString(directory.resolve("a file"), "");

        assertThat(files("a file/models").save(ExperienceJsonTest.experience(new Random(1))))
                .singleElement()
                .asString()
                .contains("observations cannot be written to");
    }

    private ModelFiles files(String below) {
        return new ModelFiles(
                directory.resolve(below).toString(), location -> new LocalDirectory(Path.of(location)), () -> T0);
    }

    private ModelVersion version(int number, Trainer trainer) {
        LearnedPredictor predictor = new LearnedPredictor(trainer.name(), trainer.train(examples), Domain.of(examples));
        return new ModelVersion(number, T0, predictor, examples.size(), 60, 0.05, 0.4, Map.of("beside.cpu", 0.25));
    }
}
