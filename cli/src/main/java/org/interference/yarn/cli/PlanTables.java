package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.interference.yarn.cli.Table.Room;

/** A plan as tables. Pure. */
final class PlanTables {
    /** What a plan is compared with: the field of the answer, and its heading. */
    private static final Map<String, String> BESIDE = new LinkedHashMap<>();

    static {
        BESIDE.put("interferenceOnly", "INTERFERENCE ONLY");
        BESIDE.put("affinityOnly", "AFFINITY ONLY");
        BESIDE.put("today", "TODAY");
    }

    private PlanTables() {}

    static String text(JsonNode answer, int width) {
        JsonNode plan = answer.path("plan");
        return summary(answer)
                + "\nMACHINES\n"
                + machines(plan).print(width)
                + reasons(plan, width)
                + "\nTIERS, SLOWED DOWN\n"
                + tiers(answer).print(width);
    }

    private static String summary(JsonNode answer) {
        Details lines = new Details();
        lines.add("plan of", Figure.text(answer.path("name")));
        lines.add("cost", cost(answer.path("plan").path("cost")));
        BESIDE.forEach((field, heading) -> {
            if (answer.has(field)) {
                String cost = answer.path(field).path("fits").asBoolean()
                        ? cost(answer.path(field).path("cost"))
                        : "something does not fit";
                lines.add(heading.toLowerCase(Locale.ROOT), cost);
            }
        });
        String proof = answer.path("optimal").asBoolean() ? ", proven to be the best" : "";
        lines.add(
                "solver", "%s, %s steps%s".formatted(Figure.text(answer.path("solver")), answer.path("steps"), proof));
        lines.add("slowdowns", "from the published table");
        return lines.print();
    }

    private static Table machines(JsonNode plan) {
        Table table = new Table()
                .text("MACHINE", Room.CUT_END)
                .number("COST", Room.ALWAYS)
                .number("INTERFERENCE", Room.ALWAYS)
                .number("AFFINITY", Room.ALWAYS)
                .number("FULL", Room.ALWAYS)
                .text("HOLDS", Room.CUT_END);
        for (JsonNode machine : plan.path("machines")) {
            table.row(
                    Figure.text(machine.path("name")),
                    machine.path("fits").asBoolean() ? cost(machine.path("cost")) : "full",
                    cost(machine.path("interference")),
                    cost(machine.path("affinity")),
                    full(machine),
                    residents(machine));
        }
        return table;
    }

    /** Of the amount of which most is taken. */
    private static String full(JsonNode machine) {
        return machine.path("capacity").properties().stream()
                .mapToDouble(
                        amount -> machine.path("used").path(amount.getKey()).asDouble()
                                / amount.getValue().asDouble())
                .max()
                .stream()
                .mapToObj(share -> String.format(Locale.ROOT, "%.0f %%", 100 * share))
                .findFirst()
                .orElse(Figure.NONE);
    }

    private static String residents(JsonNode machine) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (JsonNode tier : machine.path("tiers")) {
            String name = tier.path("name").asText();
            counts.merge(tier.path("occupant").asBoolean() ? "(" + name + ")" : name, 1, Integer::sum);
        }
        String all = counts.entrySet().stream()
                .map(each -> each.getValue() > 1 ? each.getKey() + " x" + each.getValue() : each.getKey())
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? Figure.NONE : all;
    }

    private static String reasons(JsonNode plan, int width) {
        Table table = new Table()
                .text("MACHINE", Room.CUT_END)
                .number("FACTOR", Room.ALWAYS)
                .text("BECAUSE", Room.CUT_END);
        boolean any = false;
        for (JsonNode machine : plan.path("machines")) {
            String name = Figure.text(machine.path("name"));
            for (JsonNode term : machine.path("interferenceTerms")) {
                table.row(
                        name,
                        cost(term.path("factor")),
                        "%s of %s".formatted(Figure.text(term.path("of")), names(term)));
                any = true;
            }
            for (JsonNode term : machine.path("affinityTerms")) {
                String because = "%s is away from %s".formatted(Figure.text(term.path("of")), names(term));
                table.row(name, cost(term.path("factor")), because);
                any = true;
            }
        }
        return any ? "\nWHAT COSTS\n" + table.print(width) : "";
    }

    private static String names(JsonNode term) {
        List<String> names = new ArrayList<>();
        term.path("tiers").forEach(name -> names.add(name.asText()));
        return String.join(", ", names);
    }

    private static Table tiers(JsonNode answer) {
        List<String> beside = BESIDE.keySet().stream().filter(answer::has).toList();
        Table table = new Table()
                .text("TIER", Room.CUT_END)
                .text("ON", Room.CUT_END)
                .number("BY NEIGHBOURS", Room.ALWAYS)
                .number("BY DISTANCE", Room.ALWAYS)
                .number("IN ALL", Room.ALWAYS);
        beside.forEach(field -> table.number(BESIDE.get(field), Room.OR_NONE));
        Map<String, Worst> plan = worst(answer.path("plan"));
        List<Map<String, Worst>> others =
                beside.stream().map(field -> worst(answer.path(field))).toList();
        for (JsonNode tier : answer.path("tiers")) {
            String name = tier.path("name").asText();
            Worst here = plan.getOrDefault(name, Worst.NOWHERE);
            List<String> row = new ArrayList<>(List.of(
                    name,
                    String.join(", ", here.machines()),
                    factor(here.slowdown()),
                    factor(here.affinity()),
                    factor(here.slowdown() * here.affinity())));
            others.forEach(other -> {
                Worst there = other.getOrDefault(name, Worst.NOWHERE);
                row.add(factor(there.slowdown() * there.affinity()));
            });
            table.row(row);
        }
        return table;
    }

    /** The instance of a tier that is slowed down most, and where all of them are. */
    private record Worst(double slowdown, double affinity, List<String> machines) {
        static final Worst NOWHERE = new Worst(0, 0, List.of());

        Worst with(Worst other) {
            List<String> all = new ArrayList<>(machines);
            other.machines.stream().filter(machine -> !all.contains(machine)).forEach(all::add);
            return slowdown * affinity >= other.slowdown * other.affinity
                    ? new Worst(slowdown, affinity, all)
                    : new Worst(other.slowdown, other.affinity, all);
        }
    }

    private static Map<String, Worst> worst(JsonNode plan) {
        Map<String, Worst> worst = new LinkedHashMap<>();
        for (JsonNode machine : plan.path("machines")) {
            for (JsonNode tier : machine.path("tiers")) {
                if (!tier.path("occupant").asBoolean()) {
                    Worst here = new Worst(
                            tier.path("slowdown").asDouble(),
                            tier.path("affinity").asDouble(),
                            List.of(machine.path("name").asText()));
                    worst.merge(tier.path("name").asText(), here, Worst::with);
                }
            }
        }
        return worst;
    }

    private static String factor(double factor) {
        return factor > 0 ? String.format(Locale.ROOT, "%.2f", factor) : Figure.NONE;
    }

    /** With four digits, as the thesis prints it. */
    private static String cost(JsonNode value) {
        return value.isNumber()
                ? new BigDecimal(value.doubleValue())
                        .setScale(4, RoundingMode.HALF_EVEN)
                        .toPlainString()
                : Figure.NONE;
    }
}
