package org.interference.yarn.plan.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.interference.yarn.plan.Answer;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.ExactSearch;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Planner;
import org.interference.yarn.plan.TableInterference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServicesFileTest {
    private static final Path EXAMPLE = Path.of("../conf/services.example.json");
    private static final int MUTATIONS = 5_000;

    @Test
    void theExampleIsRead() throws IOException {
        Services services = ServicesFile.read(Files.readString(EXAMPLE));

        assertThat(services.name()).isEqualTo("shop");
        assertThat(services.machines()).hasSize(3);
        ServiceTier api = services.tiers().get(1);
        assertThat(api.tier().name()).isEqualTo("api");
        assertThat(api.tier().instances()).isEqualTo(2);
        assertThat(api.tier().size()).isEqualTo(Map.of("memory-mb", 1024.0, "vcores", 1.0));
        assertThat(api.tier().degradation().cpu()).as("as web's").isEqualTo(1.15);
        assertThat(api.tier().degradation().memory()).as("its own").isEqualTo(1.07);
        assertThat(api.tier().affinities())
                .as("affinities are not inherited")
                .isEqualTo(Map.of("cache", 1.57, "db", 1.05));
        assertThat(api.component()).containsEntry("dependencies", List.of("db"));
        assertThat(services.needsProfile()).isEmpty();
    }

    @Test
    void aPlanForTheExampleIsFound() throws IOException {
        Services services = ServicesFile.read(Files.readString(EXAMPLE));

        Answer answer = Planner.answer(
                services.problem(new TableInterference()),
                new ExactSearch(),
                Budget.steps(1_000_000),
                1,
                Optional.empty());

        assertThat(answer.solution().optimal()).isTrue();
        assertThat(answer.plan().cost())
                .isLessThan(answer.interferenceOnly().cost())
                .isLessThan(answer.affinityOnly().cost());
        assertThat(PlanJson.write(services.name(), answer)).startsWith("{\"name\":\"shop\",\"solver\":\"exact\"");
    }

    @Test
    void aTierMayBeKnownByItsProfileAlone() {
        Services services = ServicesFile.read("""
                {"tiers": [{"name": "a", "size": 0.2, "profile": "etl/map"}, {"name": "b", "like": "a"},
                           {"name": "c", "like": "a", "degradation": {}}]}""");

        assertThat(services.tiers().stream().map(ServiceTier::profile))
                .allSatisfy(profile -> assertThat(profile).contains("etl/map"));
        assertThat(services.needsProfile().map(tier -> tier.tier().name())).contains("a");
        assertThat(services.tiers().get(2).describesDegradation()).isTrue();
    }

    @Test
    void tiersThatAreEachLikeTheNextAreRefusedWhereThatNeverEnds() {
        assertThat(ServicesFile.read(eachLikeTheNext(99)).tiers()).hasSize(100);
        assertThatThrownBy(() -> ServicesFile.read(eachLikeTheNext(100)))
                .isInstanceOf(PlanException.class)
                .hasMessage("Tier 't100' is like more than 99 others, one through the other");
    }

    /** @param others beside the one that has a size, which is the first */
    private static String eachLikeTheNext(int others) {
        StringBuilder tiers = new StringBuilder("{\"name\": \"t0\", \"size\": 1}");
        for (int i = 1; i <= others; i++) {
            tiers.append(", {\"name\": \"t%d\", \"like\": \"t%d\"}".formatted(i, i - 1));
        }
        return "{\"tiers\": [%s]}".formatted(tiers);
    }

    @Test
    void machinesMayHoldSomething() {
        Services services = ServicesFile.read("""
                {"machines": [{"name": "n", "capacity": 1, "holds": [{"name": "old", "size": 0.2, "degradation": {"cpu": "high"}}]}],
                 "tiers": [{"name": "a", "size": 0.2, "affinity": {"old": "low"}}]}""");

        assertThat(services.machines().get(0).occupants().get(0).degradation().cpu())
                .isEqualTo(1.33);
        assertThat(services.problem(new TableInterference()).instances()).isEqualTo(1);
    }

    @Test
    void placesAreReadOneOrMany() {
        assertThat(ServicesFile.readPlan("{\"a\": \"n1\", \"b\": [\"n1\", \"n2\"]}")
                        .machines())
                .isEqualTo(Map.of("a", List.of("n1"), "b", List.of("n1", "n2")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"tiers\": [|The file is not JSON: Unexpected end-of-input: expected close marker for Array (line 1, column 12)",
                "|The file must be a JSON object",
                "[]|The file must be a JSON object",
                "{} {}|The file is not JSON: Trailing token",
                "{\"tiers\": 3}|'tiers' must be a list",
                "{\"name\": \"x\"}|'tiers' must be a list",
                "{\"tiers\": [{\"size\": 1}]}|A tier has no name that is a text",
                "{\"tiers\": [{\"name\": \"a\"}]}|Tier 'a' has no size",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 0}]}|Tier 'a': size is 0 but must be positive",
                "{\"tiers\": [{\"name\": \"a\", \"size\": {}}]}|Tier 'a': size names no amount",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"colour\": 2}]}|Tier 'a' has a key 'colour', which means nothing here;",
                "{\"tears\": []}|The file has a key 'tears', which means nothing here; there are copies, machines, name, tiers",
                "{\"tiers\": [], \"tiers\": []}|The file is not JSON: Duplicate field 'tiers'",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1}, {\"name\": \"a\", \"size\": 1}]}|There are two tiers called 'a'",
                "{\"tiers\": [{\"name\": \"a\", \"like\": \"b\"}]}|Tier 'a' is like 'b', and there is no such tier",
                "{\"tiers\": [{\"name\": \"a\", \"like\": \"b\"}, {\"name\": \"b\", \"like\": \"a\"}]}"
                        + "|These tiers are like each other in a circle: a, b",
                "{\"tiers\": [{\"name\": \"a\", \"like\": \"a\"}]}|These tiers are like each other in a circle: a",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"instances\": 1.5}]}|Tier 'a': instances is 1.5 but must be a whole number",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"instances\": 0}]}|Tier 'a' has 0 instances but must have from 1",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"degradation\": {\"cpu\": \"huge\"}}]}"
                        + "|Tier 'a': degradation of cpu is 'huge' but must be absent, low, moderate, high or a number",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"degradation\": {\"cpu\": 0.5}}]}"
                        + "|Tier 'a': degradation of cpu is 0.5 but must be at least 1",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"degradation\": {\"gpu\": 2}}]}"
                        + "|Tier 'a': degradation has a key 'gpu', which means nothing here; there are cache, cpu, disk, memory",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"affinity\": {\"b\": 1e999}}]}"
                        + "|Tier 'a': affinity to 'b' is",
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"affinity\": {\"b\": NaN}}]}|The file is not JSON: Non-standard token 'NaN'",
                "{\"machines\": [{\"name\": \"n\"}], \"tiers\": []}|Machine 'n' has no capacity",
                "{\"machines\": [{\"name\": \"n\", \"capacity\": -1}], \"tiers\": []}|Machine 'n': capacity is -1 but must be positive",
            })
    void whatIsWrongIsOneSentence(String json, String sentence) {
        assertThatThrownBy(() -> ServicesFile.read(json == null ? "" : json))
                .isInstanceOf(PlanException.class)
                .satisfies(refusal ->
                        assertThat(refusal.getMessage()).startsWith(sentence).hasLineCount(1));
    }

    @Test
    void whateverIsWrittenNothingButItsOwnExceptionComesOut() throws IOException {
        byte[] example = Files.readAllBytes(EXAMPLE);
        SplittableRandom random = new SplittableRandom(1);
        int read = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            String text = new String(mutated(example, random), StandardCharsets.UTF_8);
            try {
                Services services = ServicesFile.read(text);
                services.problem(new TableInterference());
                read++;
            } catch (PlanException e) {
                assertThat(e.getMessage()).as(text).isNotBlank().hasLineCount(1);
            }
            try {
                ServicesFile.readMachines(text);
                ServicesFile.readPlan(text);
            } catch (PlanException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(read).as("mutations that say something, too").isGreaterThan(MUTATIONS / 100);
    }

    private static byte[] mutated(byte[] example, SplittableRandom random) {
        if (random.nextInt(10) == 0) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] bytes = example.clone();
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = (byte) "{}[]\",:0123456789.-eE".charAt(random.nextInt(21));
                default -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(30), bytes.length - Math.max(at, from));
                    System.arraycopy(example, from, bytes, at, length);
                }
            }
        }
        return bytes;
    }
}
