package org.interference.yarn.place.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.interference.yarn.fault.Part;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.SharedTags;
import org.junit.jupiter.api.Test;

/** While the background thread is held up by something else. */
class CommitsTest {
    private final Placement placement = new Placement(
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {}),
            new ProfileRepository(1),
            new FakePredictor(),
            PlaceSettings.from(Map.<String, String>of()::getOrDefault));
    private final Commits commits =
            new Commits(placement, new Requests(null, new YarnTasks(SharedTags.NONE)), Object::toString, task -> {});

    @Test
    void whatWaitsIsBoundedAndWhatIsLeftOutIsCounted() {
        add(Commits.MOST + 100);

        assertThat(placement.decisions().notAccountedFor()).isEqualTo(100);
        commits.accountForAll();
        assertThat(accountedFor()).isEqualTo(Commits.MOST);
        add(1);
        assertThat(placement.decisions().notAccountedFor()).isEqualTo(100);
    }

    @Test
    void decisionsAccountForSomeHoweverManyWait() {
        add(1000);

        for (int decision = 0; decision < 125; decision++) {
            commits.accountForSome();
        }

        assertThat(accountedFor()).isEqualTo(1000);
    }

    private void add(int containers) {
        for (int i = 0; i < containers; i++) {
            commits.add(gone(), Optional.empty(), Commits.Origin.notRanked(), T0);
        }
    }

    /** Each of the containers is one that YARN knows nothing of any more. */
    private long accountedFor() {
        return placement.gate().faults().counts().get(Part.ACCOUNTING);
    }

    private static RMContainer gone() {
        return (RMContainer) Proxy.newProxyInstance(
                RMContainer.class.getClassLoader(), new Class<?>[] {RMContainer.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
