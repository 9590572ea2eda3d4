package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.fixture.FakePredictor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictSettingsTest {
    private static final String PREDICTOR = "yarn.interference.predict.predictor";

    @Test
    void defaultsAreDocumented() {
        PredictSettings settings = PredictSettings.from((name, fallback) -> fallback);

        assertThat(settings.predictor()).isInstanceOf(ComposedPredictor.class);
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = Map.of(PREDICTOR, FakePredictor.class.getName());

        PredictSettings settings = PredictSettings.from(file::getOrDefault);

        assertThat(settings.predictor()).isInstanceOf(FakePredictor.class);
        assertThat(PredictSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @Test
    void priorAloneIsSelectedByItsName() {
        assertThat(PredictSettings.from(Map.of(PREDICTOR, "prior")::getOrDefault)
                        .predictor())
                .isInstanceOf(PriorPredictor.class);
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
