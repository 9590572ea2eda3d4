package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Option;

/** A question whose answer is a list, of which the plugin gives a part at a time. */
abstract class ListCommand extends OperatorCommand {
    private static final int MOST = 1000;

    private final String items;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            order = 90,
            description = "Show so many, at most 1000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(
            names = "--offset",
            paramLabel = "N",
            defaultValue = "0",
            order = 91,
            description = "Pass over so many (default: ${DEFAULT-VALUE}).")
    private int offset;

    @Option(names = "--all", order = 92, description = "Show all, however many.")
    private boolean all;

    /**
     * Takes the list from a field of the answer.
     *
     * @param items the field
     */
    ListCommand(ProgramEnvironment surroundings, String items) {
        super(surroundings);
        this.items = items;
    }

    /** Returns the question, without which part of the list it is about. */
    abstract Question question();

    /** Returns the table of what is listed. */
    abstract Table table(JsonNode list);

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        if (limit < 1 || limit > MOST) {
            throw badInput("--limit is %d but must be from 1 to %d".formatted(limit, MOST));
        }
        if (offset < 0) {
            throw badInput("--offset is %d but must be at least 0".formatted(offset));
        }
        return all ? whole(rm, question(), items, offset) : part(rm, question(), offset, limit);
    }

    /** Returns the answer with the whole list from {@code offset} on, however many answers that takes. */
    static JsonNode whole(RmClient rm, Question question, String items, int offset) throws RmException {
        JsonNode first = part(rm, question, offset, MOST);
        JsonNode list = first.path(items);
        JsonNode part = list;
        while (part.size() > 0 && offset + list.size() < first.path("total").asInt()) {
            part = part(rm, question, offset + list.size(), MOST).path(items);
            if (list instanceof ArrayNode whole) {
                part.forEach(whole::add);
            }
        }
        if (first instanceof ObjectNode whole) {
            whole.put("limit", list.size());
        }
        return first;
    }

    private static JsonNode part(RmClient rm, Question question, int from, int most) throws RmException {
        return rm.ask(question.with("offset", from).with("limit", most));
    }

    @Override
    String text(JsonNode answer) {
        JsonNode list = answer.path(items);
        int total = answer.path("total").asInt();
        if (list.isEmpty()) {
            return total == 0
                    ? "There are none.\n"
                    : "There are %d, all before --offset %d.%n".formatted(total, offset);
        }
        int end = offset + list.size();
        String more = list.size() == total
                ? ""
                : "%d to %d of %d%s.%n"
                        .formatted(
                                offset + 1,
                                end,
                                total,
                                end < total ? "; --all shows all, --offset %d the next".formatted(end) : "");
        return table(list).print(width()) + more;
    }
}
