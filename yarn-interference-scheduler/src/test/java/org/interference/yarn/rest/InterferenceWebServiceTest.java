package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import org.interference.yarn.profile.ProfileRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no ResourceManager to answer from. */
class InterferenceWebServiceTest {
    private final InterferenceWebService service = new Hk2WebService(null);

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1001", "all", "", "1e3"})
    void limitThatIsNoneIsABadRequestWithTheRule(String limit) {
        assertThatThrownBy(() -> Page.of("0", limit))
                .isInstanceOfSatisfying(RequestException.class, refused -> assertThat(refused.status())
                        .isEqualTo(400))
                .hasMessage("limit is '%s' but must be a whole number from 1 to 1000 (default: 100)", limit);
    }

    @Test
    void indexNamesEveryPath() {
        assertThat(service.index().getEntity().toString())
                .contains("/ws/v1/interference/nodes")
                .contains("/ws/v1/interference/containers")
                .contains("/ws/v1/interference/profiles")
                .contains("/ws/v1/interference/decisions")
                .contains("/ws/v1/interference/health");
    }

    /** Everybody may list them, and it takes a processor. */
    @Test
    void profilesAreListedForFewAtOnce() {
        Sources sources = new Sources(
                null,
                new Sources.Cluster(null, null, null, null),
                new Sources.Learnt(new ProfileRepository(1), null, null, null, null, null, null),
                null,
                null,
                null,
                null,
                null);
        Turns turns = InterferenceWebService.LISTING_PROFILES;
        Supplier<Object> list = () -> InterferenceWebService.profiles(sources, Viewer.OF_ALL, Page.of("0", "1"), "x");

        assertThatThrownBy(() -> turns.take(() -> turns.take(list)))
                .isInstanceOfSatisfying(RequestException.class, refused -> assertThat(refused.status())
                        .isEqualTo(429));
        assertThat(turns.take(list)).asString().contains("\"profiles\":[]");
    }

    @Test
    void fileThatIsNotPartOfThePageIsNotFound() {
        for (String file : List.of("nothing.js", "../openapi.yaml", "index.html", "")) {
            assertThat(service.pageFile(file).getStatus()).as(file).isEqualTo(404);
        }
    }
}
