package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows or changes settings. */
@Command(
        name = "config",
        sortOptions = false,
        description = {
            "Shows every setting, or what is known of some; or changes some, all of them or none, for administrators.",
            "LIVE settings can be changed here, until yarn rmadmin -refreshQueues, or until the ResourceManager restarts."
        })
final class Config extends OperatorCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "NAME[=VALUE]",
            description = "Show this setting with its rule; or change it.")
    private List<String> settings = List.of();

    Config(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        ObjectNode values = JsonNodeFactory.instance.objectNode();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                values.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
        }
        if (values.isEmpty()) {
            JsonNode all = rm.ask(Question.get("config"));
            refuseUnknown(all);
            return all;
        }
        if (values.size() < settings.size()) {
            throw badInput("Give either names to show, or NAME=VALUE once each to change");
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("settings", values);
        return rm.ask(Question.put("config").withBody(body.toString()));
    }

    private void refuseUnknown(JsonNode all) {
        Set<String> known = new HashSet<>();
        all.path("settings").forEach(setting -> known.add(setting.path("name").asText()));
        for (String name : settings) {
            if (!known.contains(name)) {
                throw badInput("There is no setting '%s'; interference config lists them".formatted(name));
            }
        }
    }

    @Override
    String text(JsonNode answer) {
        List<JsonNode> shown = new ArrayList<>();
        answer.path("settings").forEach(setting -> {
            if (settings.isEmpty() || isNamed(setting.path("name").asText())) {
                shown.add(setting);
            }
        });
        return settings.isEmpty() ? table(shown) : details(shown);
    }

    private boolean isNamed(String name) {
        return settings.stream().anyMatch(setting -> setting.equals(name) || setting.startsWith(name + "="));
    }

    private String table(List<JsonNode> shown) {
        Table table = new Table()
                .text("NAME", Room.ALWAYS)
                .text("VALUE", Room.CUT_END)
                .text("LIVE", Room.OR_NONE)
                .text("CHANGED HERE", Room.OR_NONE);
        for (JsonNode setting : shown) {
            table.row(
                    Figure.text(setting.path("name")),
                    Figure.text(setting.path("value")),
                    setting.path("live").asBoolean() ? "yes" : "no",
                    setting.path("changed").asBoolean() ? "yes" : "no");
        }
        return table.print(width());
    }

    private static String details(List<JsonNode> shown) {
        Details lines = new Details();
        for (JsonNode setting : shown) {
            lines.add("name", Figure.text(setting.path("name")));
            lines.add(
                    "value",
                    Figure.text(setting.path("value"))
                            + (setting.path("changed").asBoolean() ? " (changed here; its file says otherwise)" : ""));
            lines.add("default", Figure.text(setting.path("default")));
            lines.add("rule", Figure.text(setting.path("rule")));
            lines.add("live", setting.path("live").asBoolean() ? "yes" : "no, the ResourceManager must restart");
            lines.add("about", Figure.text(setting.path("description")));
        }
        return lines.print();
    }
}
