package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Interference from each tier's own {@link Degradation}, as in the thesis.
 *
 * <p>Equation 6.2: for each resource the factor of a machine is the product of all values above 1 there when more than one instance has
 * one, else 1. 6.3: a single value counts nothing, because nobody shares what it stands for. 6.4: the machine's factor is the product
 * over the resources.
 *
 * <p>A tier's predicted slowdown is what the thesis says in prose, not in 6.3: the product, over the resources that the tier itself uses,
 * of its neighbours' values, without its own. So the product of the slowdowns on a machine is not its factor.
 */
public final class TableInterference implements Interference {
    private static final Resource[] RESOURCES = Resource.values();

    @Override
    public double factor(List<Tier> together) {
        double factor = 1;
        for (Resource resource : RESOURCES) {
            factor *= factor(together, resource);
        }
        return factor;
    }

    private static double factor(List<Tier> together, Resource resource) {
        double product = 1;
        int users = 0;
        for (int i = 0; i < together.size(); i++) {
            double value = together.get(i).degradation().of(resource);
            if (value > 1) {
                product *= value;
                users++;
            }
        }
        return users > 1 ? product : 1;
    }

    @Override
    public double slowdown(List<Tier> together, int index) {
        Degradation own = together.get(index).degradation();
        double slowdown = 1;
        for (Resource resource : RESOURCES) {
            if (own.uses(resource)) {
                for (int i = 0; i < together.size(); i++) {
                    slowdown *= i == index ? 1 : together.get(i).degradation().of(resource);
                }
            }
        }
        return slowdown;
    }

    @Override
    public List<Term> terms(List<Tier> together) {
        List<Term> terms = new ArrayList<>();
        for (Resource resource : RESOURCES) {
            double factor = factor(together, resource);
            if (factor > 1) {
                List<String> users = together.stream()
                        .filter(tier -> tier.degradation().uses(resource))
                        .map(Tier::name)
                        .toList();
                terms.add(new Term(resource.name().toLowerCase(Locale.ROOT), factor, users));
            }
        }
        return terms;
    }

    @Override
    public boolean growsWithCompany() {
        return true;
    }
}
