package org.interference.yarn.app;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Placement;
import org.interference.yarn.profile.ProfileRepository;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two administrators, and a refresh, at the {@link LiveSettings}. Results are the modes of the queues {@code root.a} and {@code root.b}. */
final class LiveSettingsInterleavings {
    private static final Map<String, String> FILES = Map.of("yarn.interference.place.mode", "shadow");
    private static final StartSettings START = StartSettings.from(FILES::getOrDefault);

    private LiveSettingsInterleavings() {}

    private static Placement placement() {
        return new Placement(
                new Ingest(START.ingest(), Duration.ofSeconds(1), sample -> {}),
                new ProfileRepository(1),
                new FakePredictor(),
                START.place());
    }

    /** Each changes the mode of another queue, which is one setting for all queues: neither change is lost. */
    @JCStressTest
    @Outcome(id = "ON, OFF", expect = Expect.ACCEPTABLE, desc = "both are in force")
    @State
    public static class TwoQueues {
        private final Placement placement = placement();
        private final LiveSettings settings =
                new LiveSettings(placement, capacity -> {}, relocation -> {}, START, FILES::get);

        @Actor
        public void switchOn() {
            settings.switchTo(Mode.ON, Optional.of("root.a"));
        }

        @Actor
        public void switchOff() {
            settings.switchTo(Mode.OFF, Optional.of("root.b"));
        }

        @Arbiter
        public void after(LL_Result result) {
            result.r1 = placement.gate().mode("root.a");
            result.r2 = placement.gate().mode("root.b");
        }
    }
}
