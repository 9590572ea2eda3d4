package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import javax.ws.rs.core.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no ResourceManager to answer from. */
class InterferenceWebServiceTest {
    private final InterferenceWebService service = new InterferenceWebService(null);

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "10001", "all", "", "1e3"})
    void limitThatIsNoneIsABadRequestWithTheRule(String limit) {
        Response response = service.decisions(limit);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getEntity())
                .isEqualTo("{\"error\":\"limit is '" + limit
                        + "' but must be a whole number from 1 to 10000 (default: 100)\"}");
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
}
