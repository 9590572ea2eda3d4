package org.interference.yarn.profile.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.profile.Tasks;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileFileTest {
    private static final Instant NOW = Instant.parse("2024-05-06T07:08:09.010Z");
    private static final String ASIDE = "profiles.json.unreadable-" + NOW.toEpochMilli();
    private static final String ONE_PROFILE = """
            {
              "schema" : 1,
              "profiles" : [ {
                "level" : "NAME",
                "key" : "mapreduce/sort/map/default",
                "samples" : 2,
                "runTimeSeconds" : {"count" : 2, "mean" : 30.0, "squaredDistances" : 0.0},
                "signals" : {"cpu" : {"count" : 2, "mean" : 0.25, "squaredDistances" : 0.5}},
                "updated" : "2024-05-06T07:08:09Z"
              } ]
            }
            """;

    @TempDir
    private Path directory;

    private ProfileFile file;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @BeforeEach
    void openFile() {
        file = new ProfileFile(directory);
    }

    @Test
    void fileThatIsNotThereIsAnEmptyRepository() throws IOException {
        ProfileFile.Loaded loaded = file.load(NOW);

        assertThat(loaded.profiles()).isEmpty();
        assertThat(loaded.problem()).isEmpty();
    }

    @Test
    void directoryThatIsNotThereIsMade() throws IOException {
        ProfileFile deep = new ProfileFile(directory.resolve("not/yet/there"));
        deep.load(NOW);

        deep.save(learnt());

        assertThat(deep.path()).exists();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsSavedIsLoaded(long seed) throws IOException {
        List<TaskProfile> profiles = randomProfiles(new Random(seed));
        file.save(profiles);

        ProfileFile.Loaded loaded = file.load(NOW);

        assertThat(loaded.profiles()).containsExactlyInAnyOrderElementsOf(profiles);
        assertThat(loaded.problem()).isEmpty();
    }

    @Test
    void fileWrittenByHandIsRead() throws IOException {
        write(ONE_PROFILE);

        TaskProfile profile = file.load(NOW).profiles().get(0);

        assertThat(profile.key()).isEqualTo(Tasks.map("sort").keys().get(0));
        assertThat(profile.samples()).isEqualTo(2);
        assertThat(profile.load().level(Signal.CPU)).hasValue(0.25);
        assertThat(profile.runTimeSeconds().mean()).isEqualTo(30);
        assertThat(profile.updated()).isEqualTo(Tasks.T0);
    }

    @Test
    void savingReplacesTheWholeFile() throws IOException {
        file.save(learnt());

        file.save(List.of());

        assertThat(file.load(NOW).profiles()).isEmpty();
    }

    @Test
    void equalProfilesMakeEqualBytesInWhateverOrderTheyCome() throws IOException {
        List<TaskProfile> profiles = randomProfiles(new Random(5));
        file.save(profiles);
        byte[] first = Files.readAllBytes(file.path());

        file.save(reversed(profiles));

        assertThat(Files.readAllBytes(file.path())).isEqualTo(first);
    }

    @Test
    void savingLeavesNothingButTheFile() throws IOException {
        file.save(learnt());
        file.save(learnt());

        assertThat(namesInDirectory()).containsExactly("profiles.json");
    }

    @Test
    void leftoverOfACrashedSaveDoesNoHarm() throws IOException {
        file.save(learnt());
        Files.writeString(
                directory.resolve("profiles.json.next"), "{ \"schema\" : 1, \"profiles\" : [ {" + "x".repeat(9999));

        ProfileFile.Loaded loaded = file.load(NOW);
        file.save(loaded.profiles());

        assertThat(loaded.problem()).isEmpty();
        assertThat(file.load(NOW).profiles()).isEqualTo(loaded.profiles()).isNotEmpty();
    }

    @Test
    void crashBeforeTheFirstRenameIsAnEmptyRepository() throws IOException {
        Files.writeString(directory.resolve("profiles.json.next"), ONE_PROFILE);

        assertThat(file.load(NOW)).isEqualTo(new ProfileFile.Loaded(List.of(), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "{}",
                "{\"schema\" : 1}",
                "{\"schema\" : 1, \"profiles\" : null}",
                "{\"schema\" : 1, \"profiles\" : [null]}",
                "{\"schema\" : \"one\", \"profiles\" : []}",
                "not json",
                "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000"
            })
    void fileThatIsNoRepositoryIsMovedAside(String content) throws IOException {
        write(content);

        assertThatFileIsMovedAside(content.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"level\" : \"NAME\" -> \"level\" : \"QUEUE\"",
                "\"level\" : \"NAME\" -> \"level\" : null",
                "\"key\" : \"mapreduce/sort/map/default\", -> ",
                "\"mean\" : 0.25 -> \"mean\" : -0.25",
                "\"mean\" : 0.25 -> \"mean\" : 1e999",
                "\"mean\" : 0.25 -> \"mean\" : \"NaN\"",
                "\"samples\" : 2 -> \"samples\" : \"many\"",
                "{\"cpu\" : {\"count\" : 2 -> {\"cpu\" : {\"count\" : -1",
                "\"squaredDistances\" : 0.5 -> \"squaredDistances\" : -0.5",
                "\"mean\" : 30.0 -> \"mean\" : \"NaN\"",
                "{\"cpu\" : { -> {\"cpu\" : null, \"blk\" : {",
                "2024-05-06T07:08:09Z -> yesterday",
                "\"updated\" : \"2024-05-06T07:08:09Z\" -> \"updated\" : null",
            })
    void oneWrongFieldMovesTheFileAside(String change) throws IOException {
        String[] fromTo = change.split(" -> ", -1);
        assertThat(ONE_PROFILE).contains(fromTo[0]);
        String content = ONE_PROFILE.replace(fromTo[0], fromTo[1]);
        write(content);

        assertThatFileIsMovedAside(content.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 99})
    void otherSchemaIsMovedAsideAndNamed(int schema) throws IOException {
        String content = ONE_PROFILE.replace("\"schema\" : 1", "\"schema\" : " + schema);
        write(content);

        ProfileFile.Loaded loaded = file.load(NOW);

        assertThat(loaded.problem())
                .hasValue(
                        "%s could not be read (schema %d, this version reads 1); it was moved to %s and the repository"
                                        .formatted(file.path(), schema, ASIDE)
                                + " starts empty");
        assertThat(directory.resolve(ASIDE)).hasContent(content);
    }

    @Test
    void repositoryCanBeSavedAfterTheFileWasMovedAside() throws IOException {
        write("not json");
        file.load(NOW);

        file.save(learnt());

        assertThat(file.load(NOW).profiles()).isNotEmpty();
        assertThat(directory.resolve(ASIDE)).hasContent("not json");
    }

    @Test
    void fileTruncatedAnywhereIsMovedAside() throws IOException {
        file.save(learnt());
        byte[] whole = Files.readAllBytes(file.path());

        for (int length = 0; length < whole.length; length++) {
            byte[] truncated = Arrays.copyOf(whole, length);
            Files.write(file.path(), truncated);

            assertThatFileIsMovedAside(truncated);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void fileWithDamagedBytesIsLoadedOrMovedAside(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = ONE_PROFILE.getBytes(StandardCharsets.UTF_8);
        int from = random.nextInt(4) == 0 ? 0 : random.nextInt(bytes.length);
        byte[] damage = new byte[1 + random.nextInt(Math.min(64, bytes.length - from))];
        if (random.nextBoolean()) {
            random.nextBytes(damage);
        }
        System.arraycopy(damage, 0, bytes, from, damage.length);
        Files.write(file.path(), bytes);

        ProfileFile.Loaded loaded = file.load(NOW);

        Path kept = loaded.problem().isEmpty() ? file.path() : directory.resolve(ASIDE);
        assertThat(kept).hasBinaryContent(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000041", "00000000ffffffff", "fffe0000ffffffff", "0000fffe00", "feff", "fffe41"})
    void fileThatLooksLikeAnotherEncodingIsMovedAside(String hex) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        Files.write(file.path(), bytes);

        assertThatFileIsMovedAside(bytes);
    }

    @Test
    void signalOfANewerVersionIsLeftOut() throws IOException {
        write(ONE_PROFILE.replace(
                "{\"cpu\"", "{\"gpu\" : {\"count\" : 2, \"mean\" : 0.5, \"squaredDistances\" : 0.0}, \"cpu\""));

        ProfileFile.Loaded loaded = file.load(NOW);

        assertThat(loaded.problem()).isEmpty();
        assertThat(loaded.profiles().get(0).load().levels()).containsOnlyKeys(Signal.CPU);
    }

    @Test
    void fieldsOfANewerVersionAreNotRead() throws IOException {
        write(ONE_PROFILE
                .replace("\"schema\" : 1", "\"schema\" : 1, \"writer\" : {\"version\" : 9}")
                .replace("\"samples\" : 2", "\"samples\" : 2, \"phases\" : [1, 2]")
                .replace("\"mean\" : 0.25", "\"mean\" : 0.25, \"p95\" : 0.4"));

        ProfileFile.Loaded loaded = file.load(NOW);

        assertThat(loaded.problem()).isEmpty();
        assertThat(loaded.profiles()).hasSize(1);
    }

    @Test
    void fileThatCannotBeReadAtAllIsAnErrorAndStaysInPlace() throws IOException {
        Files.createDirectory(file.path());

        assertThatThrownBy(() -> file.load(NOW)).isInstanceOf(IOException.class);

        assertThat(namesInDirectory()).containsExactly("profiles.json");
    }

    private void assertThatFileIsMovedAside(byte[] content) throws IOException {
        ProfileFile.Loaded loaded = file.load(NOW);

        assertThat(loaded.profiles()).isEmpty();
        assertThat(loaded.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .startsWith(file.path() + " could not be read (")
                .endsWith("it was moved to " + ASIDE + " and the repository starts empty"));
        assertThat(file.path()).doesNotExist();
        assertThat(directory.resolve(ASIDE)).hasBinaryContent(content);
    }

    private void write(String content) throws IOException {
        Files.writeString(file.path(), content);
    }

    private List<String> namesInDirectory() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static List<TaskProfile> learnt() {
        ProfileRepository repository = new ProfileRepository(1);
        repository.record(Tasks.sample(Tasks.taggedMap("sort", "nightly"), 0.25));
        return repository.all();
    }

    private static List<TaskProfile> randomProfiles(Random random) {
        ProfileRepository repository = new ProfileRepository(1);
        int samples = 5 + random.nextInt(20);
        for (int i = 0; i < samples; i++) {
            String job =
                    "job-" + (char) ('a' + random.nextInt(6)) + (random.nextInt(5) == 0 ? " \"größe\" \\ \u2028" : "");
            EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
            for (Signal signal : Signal.values()) {
                if (random.nextBoolean()) {
                    levels.put(signal, random.nextDouble() * Math.pow(10, random.nextInt(6) - 3));
                }
            }
            repository.record(new TaskSample(
                    random.nextBoolean() ? Tasks.map(job) : Tasks.taggedMap(job, "tag" + random.nextInt(3)),
                    new InterferenceVector(levels),
                    Duration.ofMillis(random.nextInt(1_000_000)),
                    NOW.plusNanos(random.nextLong(1L << 50))));
        }
        return repository.all();
    }

    private static List<TaskProfile> reversed(List<TaskProfile> profiles) {
        return IntStream.range(0, profiles.size())
                .mapToObj(i -> profiles.get(profiles.size() - 1 - i))
                .toList();
    }
}
