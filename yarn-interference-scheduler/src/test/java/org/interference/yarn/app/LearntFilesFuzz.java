package org.interference.yarn.app;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Situation;

/** Whatever a model file or a file of observations holds, it is refused, or it is a model whose predictions are slowdowns. */
public final class LearntFilesFuzz {
    private static final Situation BUSY =
            Situation.of(Vectors.cpu(0.9), Neighbours.of(List.of(Vectors.cpu(0.5), Vectors.cpu(0.2))));

    private LearntFilesFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Optional<ModelVersion> model;
        try {
            model = Optional.of(ModelJson.read(text));
        } catch (IllegalArgumentException e) {
            model = Optional.empty();
        }
        model.ifPresent(version -> version.predictor().predict(BUSY));
        try {
            ExperienceJson.read(text.lines());
        } catch (IllegalArgumentException e) {
            // Refused.
        }
    }
}
