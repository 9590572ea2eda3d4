package org.interference.yarn.testbed.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceCaseTest {
    private static final Path CASES = Path.of("services");

    @ParameterizedTest
    @CsvSource({"case1, 1.18625, 1.3243, 3.1925", "case2, 1.0, 1.285, 3.0312"})
    void thePlansOfTheThesisCostWhatItSaysAndMoreWithTheCpuOfCopies(
            String name, double both, double interference, double affinity) throws IOException {
        ServiceCase services = ServiceCase.read(CASES, name, "tier");

        assertThat(costOfToday(services, PlannedBy.BOTH)).isGreaterThan(both);
        assertThat(costOfToday(services, PlannedBy.BOTH))
                .isLessThan(0.95 * costOfToday(services, PlannedBy.INTERFERENCE));
        assertThat(costOfToday(services, PlannedBy.INTERFERENCE)).isGreaterThan(interference);
        assertThat(costOfToday(services, PlannedBy.AFFINITY)).isGreaterThan(affinity);
    }

    private static double costOfToday(ServiceCase services, PlannedBy plan) throws IOException {
        return services.answer(plan).path("today").path("cost").asDouble();
    }

    @ParameterizedTest
    @CsvSource({"case1", "case2"})
    void thePlanOfBothIsThePlannersOwn(String name) throws IOException {
        ServiceCase services = ServiceCase.read(CASES, name, "tier");

        assertThat(groups(services.answer(PlannedBy.BOTH).path("plan"))).isEqualTo(services.groups(PlannedBy.BOTH));
    }

    private static Set<Set<String>> groups(JsonNode plan) {
        Set<Set<String>> groups = new HashSet<>();
        for (JsonNode machine : plan.path("machines")) {
            Set<String> here = new TreeSet<>();
            machine.path("tiers").forEach(tier -> here.add(tier.path("name").asText()));
            groups.add(here);
        }
        return groups;
    }

    @Test
    void aYarnfileBringsTogetherWhatItsPlanHasTogether() throws IOException {
        ServiceCase services = ServiceCase.read(CASES, "case2", "/bin/tier");

        Map<String, String> beside = new TreeMap<>();
        for (JsonNode component : new ObjectMapper()
                .readTree(services.yarnfile(PlannedBy.AFFINITY))
                .path("components")) {
            JsonNode constraint =
                    component.path("placement_policy").path("constraints").path(0);
            beside.put(
                    component.path("name").asText(),
                    constraint.path("type").asText() + " "
                            + constraint.path("target_tags").path(0).asText());
            assertThat(component.path("launch_command").asText())
                    .startsWith("/bin/tier " + component.path("name").asText());
        }

        assertThat(beside)
                .isEqualTo(Map.of(
                        "tier-1", "ANTI_AFFINITY tier-5",
                        "tier-2", "AFFINITY tier-1",
                        "tier-3", "AFFINITY tier-1",
                        "tier-4", "AFFINITY tier-1",
                        "tier-5", "ANTI_AFFINITY tier-1",
                        "tier-6", "AFFINITY tier-5"));
    }

    @Test
    void anUnknownCaseIsRefused() {
        assertThatThrownBy(() -> ServiceCase.read(CASES, "case3", "tier"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no case 'case3'; there are [case1, case2]");
    }
}
