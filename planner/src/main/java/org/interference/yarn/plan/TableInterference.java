package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.interference.yarn.degradation.Resource;

/**
 * Interference from each tier's own {@link Degradation}, as in the thesis.
 *
 * <p>Equations 6.2 and 6.3: for each resource the factor of a machine is the product of all values above 1 there when more than one instance has
 * one, else 1: a single value counts nothing, because nobody shares what it stands for. 6.4: the machine's factor is the product
 * over the resources.
 *
 * <p>A tier's predicted slowdown is what the thesis says in prose, not in 6.3: the product, over the resources that the tier itself uses,
 * of its neighbours' values, without its own. So the product of the slowdowns on a machine is not its factor.
 */
public final class TableInterference implements Interference {
    private static final Resource[] RESOURCES = Resource.values();

    @Override
    public double factor(List<Tier> together) {
        // In one pass: the solvers do little else.
        double cpu = 1;
        double memory = 1;
        double disk = 1;
        double cache = 1;
        int cpuUsers = 0;
        int memoryUsers = 0;
        int diskUsers = 0;
        int cacheUsers = 0;
        for (int i = 0; i < together.size(); i++) {
            Degradation each = together.get(i).degradation();
            cpu *= each.cpu();
            memory *= each.memory();
            disk *= each.disk();
            cache *= each.cache();
            cpuUsers += each.cpu() > 1 ? 1 : 0;
            memoryUsers += each.memory() > 1 ? 1 : 0;
            diskUsers += each.disk() > 1 ? 1 : 0;
            cacheUsers += each.cache() > 1 ? 1 : 0;
        }
        return (cpuUsers > 1 ? cpu : 1)
                * (memoryUsers > 1 ? memory : 1)
                * (diskUsers > 1 ? disk : 1)
                * (cacheUsers > 1 ? cache : 1);
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
