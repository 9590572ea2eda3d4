package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictSettingsTest {
    private static final String PREDICTOR = "yarn.interference.predict.predictor";
    private static final String DEGRADATION = "yarn.interference.predict.degradation";
    private static final String MEASURED =
            "cpu=1.5/2.0/3.0, mbw=1.07/1.62/1.74, blk=1.12/1.82/2.25, llocc=1.07/1.18/1.26," + " netp=1.13/1.43/1.62";

    @Test
    void defaultsAreDocumented() {
        PredictSettings settings = PredictSettings.from((name, fallback) -> fallback);

        assertThat(settings.predictor()).isInstanceOf(ComposedPredictor.class);
        assertThat(settings.prior().table()).isEqualTo(DegradationTable.PUBLISHED);
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = Map.of(PREDICTOR, FakePredictor.class.getName(), DEGRADATION, MEASURED);

        PredictSettings settings = PredictSettings.from(file::getOrDefault);

        assertThat(settings.predictor()).isInstanceOf(FakePredictor.class);
        assertThat(settings.prior().table()).hasToString(MEASURED);
        assertThat(PredictSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @Test
    void priorAloneIsSelectedByItsName() {
        assertThat(PredictSettings.from(Map.of(PREDICTOR, "prior")::getOrDefault)
                        .predictor())
                .isInstanceOf(PriorPredictor.class);
    }

    /** Also before anything was learnt, and whichever of ours is chosen. */
    @ParameterizedTest
    @ValueSource(strings = {"prior", "composed"})
    void measuredFactorsAreThePriors(String name) {
        SlowdownPredictor predictor = PredictSettings.from(
                        Map.of(PREDICTOR, name, DEGRADATION, "cpu=1.5/2/3")::getOrDefault)
                .predictor();

        assertThat(predictor.predict(Vectors.cpu(1), Neighbours.of(List.of(Vectors.cpu(0.355)))))
                .isEqualTo(new Prediction.Slowdown(2));
    }

    @Test
    void factorsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> PredictSettings.from(Map.of(DEGRADATION, "cpu=0.9/2/3")::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(DEGRADATION + " is 'cpu=0.9/2/3' but must be 'published' or for each resource");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // not even a name
                "no.such.Predictor",
                "java.lang.String", // not a predictor
                "org.interference.yarn.predict.SlowdownPredictor", // an interface
                "org.interference.yarn.predict.PredictSettingsTest$WithoutPublicConstructor",
            })
    void classThatIsNoUsablePredictorIsRefused(String className) {
        Map<String, String> file = Map.of(PREDICTOR, className);

        assertThatThrownBy(() -> PredictSettings.from(file::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessage(PREDICTOR + " is '" + className
                        + "' but must be 'prior', 'composed' or a class on the class path that"
                        + " implements org.interference.yarn.predict.SlowdownPredictor and has a public constructor"
                        + " without arguments (default: composed)");
    }

    /** A predictor that only its own package could make. */
    static final class WithoutPublicConstructor implements SlowdownPredictor {
        WithoutPublicConstructor() {}

        @Override
        public String name() {
            return "hidden";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Unknown("never asked");
        }
    }
}
