package org.interference.yarn.learn;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Trainer;

/**
 * New challengers, the champion and the prior, compared by the same held-out observations, which no model was trained on. A challenger wins
 * only if it is clearly better than the prior and than the champion: in the mean of the paired differences, by more than their standard
 * error. A champion that there has become clearly worse than the prior goes. Immutable.
 *
 * @param errors means of the absolute ones in logarithms, by name: {@code prior}, {@code champion} and each challenger
 * @param winner the best challenger, if it wins
 * @param championGoes without a winner
 * @param reason in one sentence
 */
record ModelComparison(
        Map<String, Double> errors, Optional<LearnedPredictor> winner, boolean championGoes, String reason) {
    /** Trains every challenger, which takes seconds, and compares them. */
    static ModelComparison of(
            PriorPredictor prior,
            List<Trainer> trainers,
            List<Example> examples,
            List<Observation> heldOut,
            Optional<LearnedPredictor> champion) {
        Domain domain = Domain.of(examples);
        Map<String, LearnedPredictor> challengers = new LinkedHashMap<>();
        for (Trainer trainer : trainers) {
            challengers.put(trainer.name(), new LearnedPredictor(trainer.name(), trainer.train(examples), domain));
        }
        Map<String, Misses> misses = new LinkedHashMap<>();
        Misses priors = Misses.of(prior, Optional.empty(), heldOut);
        misses.put(PriorPredictor.NAME, priors);
        Optional<Misses> champions = champion.map(model -> Misses.of(prior, Optional.of(model), heldOut));
        champions.ifPresent(its -> misses.put("champion", its));
        challengers.forEach((name, challenger) -> misses.put(name, Misses.of(prior, Optional.of(challenger), heldOut)));
        LearnedPredictor best = challengers.values().stream()
                .min(Comparator.comparingDouble(
                        challenger -> misses.get(challenger.name()).mean()))
                .orElseThrow();
        Misses its = misses.get(best.name());
        boolean wins = its.areClearlyFewerThan(priors)
                && champions.map(its::areClearlyFewerThan).orElse(true);
        boolean championGoes =
                !wins && champions.map(priors::areClearlyFewerThan).orElse(false);
        String reason = "%s %s: its error is %.4f, the prior's %.4f%s%s"
                .formatted(
                        best.name(),
                        wins ? "won" : "is not clearly better",
                        its.mean(),
                        priors.mean(),
                        champions
                                .map(of -> ", the champion's %.4f".formatted(of.mean()))
                                .orElse(""),
                        championGoes ? "; the champion goes, as the prior is clearly better" : "");
        Map<String, Double> errors = new LinkedHashMap<>();
        misses.forEach((name, of) -> errors.put(name, of.mean()));
        return new ModelComparison(errors, wins ? Optional.of(best) : Optional.empty(), championGoes, reason);
    }

    /** Returns whether another model is to answer from now on, or none. */
    boolean dethrones() {
        return winner.isPresent() || championGoes;
    }

    /** Returns the winner as the next champion, if there is one. */
    Optional<ModelVersion> version(
            PriorPredictor prior, int number, Instant at, int examples, List<Observation> heldOut) {
        return winner.map(model -> new ModelVersion(
                number,
                at,
                model,
                examples,
                heldOut.size(),
                errors.get(model.name()),
                errors.get(PriorPredictor.NAME),
                // The same model has the same whenever it is asked.
                Importance.of(prior, model, heldOut, errors.get(model.name()), new Random(number))));
    }
}
