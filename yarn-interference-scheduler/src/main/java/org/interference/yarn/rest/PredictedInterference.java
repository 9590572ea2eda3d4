package org.interference.yarn.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.interference.yarn.plan.Interference;
import org.interference.yarn.plan.Term;
import org.interference.yarn.plan.Tier;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;

/**
 * What the predictor expects of tiers that share a machine, in place of the product of equation 6.3: a machine's factor is the product
 * over its tiers of their predicted slowdowns. Of a tier that the predictor has no answer for it says nothing. Immutable; as pure as the predictor is.
 */
final class PredictedInterference implements Interference {
    private final Map<String, InterferenceVector> loads;
    private final Map<String, SlowdownPredictor> predictors;

    /**
     * @param loads what one instance asks of its node, by the tier's name; a tier that is not in it asks for nothing
     * @param predictors of the tiers, by name; all that are in {@code loads}
     */
    PredictedInterference(Map<String, InterferenceVector> loads, Map<String, SlowdownPredictor> predictors) {
        this.loads = Map.copyOf(loads);
        this.predictors = Map.copyOf(predictors);
        if (!this.predictors.keySet().containsAll(this.loads.keySet())) {
            throw new IllegalArgumentException("a tier has a load and no predictor");
        }
    }

    @Override
    public double factor(List<Tier> together) {
        Neighbours all = all(together);
        double product = 1;
        for (Tier tier : together) {
            product *= slowdown(tier, all);
        }
        return product;
    }

    @Override
    public double slowdown(List<Tier> together, int index) {
        return slowdown(together.get(index), all(together));
    }

    @Override
    public List<Term> terms(List<Tier> together) {
        Neighbours all = all(together);
        List<Term> terms = new ArrayList<>();
        for (Tier tier : together) {
            double slowdown = slowdown(tier, all);
            if (slowdown > 1) {
                terms.add(new Term(tier.name(), slowdown, List.of(tier.name())));
            }
        }
        return terms;
    }

    /** One more neighbour never lowers a prediction. */
    @Override
    public boolean growsWithCompany() {
        return true;
    }

    private Neighbours all(List<Tier> together) {
        List<InterferenceVector> vectors = new ArrayList<>(together.size());
        for (Tier tier : together) {
            InterferenceVector load = loads.get(tier.name());
            if (load != null) {
                vectors.add(load);
            }
        }
        return Neighbours.of(vectors);
    }

    private double slowdown(Tier tier, Neighbours all) {
        InterferenceVector load = loads.get(tier.name());
        return load != null
                        && predictors.get(tier.name()).predict(load, all.without(load))
                                instanceof Prediction.Slowdown slowdown
                ? slowdown.factor()
                : 1;
    }
}
