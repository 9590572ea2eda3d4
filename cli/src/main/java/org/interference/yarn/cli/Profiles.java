package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is known of each kind of task. */
@Command(
        name = "profiles",
        sortOptions = false,
        description = {
            "What is known of each kind of task: tasks it stands on, mean run time, the same alone and contended, and the signal"
                    + " of which it uses most.",
            "MIXED is yes where different tasks are filed under one key."
        })
final class Profiles extends ListCommand {
    @Option(names = "--contains", paramLabel = "TEXT", description = "Only those with this in their key.")
    private String contains;

    @Option(
            names = "--delete",
            paramLabel = "KEY",
            description = "Forget this kind of task instead, which is learnt anew when it runs; for administrators.")
    private String delete;

    private Signals signals = Signals.NONE;

    Profiles(ProgramEnvironment surroundings) {
        super(surroundings, "profiles");
    }

    @Override
    Question question() {
        return Question.get("profiles").with("contains", contains);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return delete == null
                ? super.ask(rm)
                : rm.ask(Question.delete("profiles").with("key", delete));
    }

    @Override
    void askForText(RmClient rm) throws RmException {
        if (delete == null) {
            signals = Signals.of(rm);
        }
    }

    @Override
    String text(JsonNode answer) {
        return delete == null ? super.text(answer) : "Forgot %s.%n".formatted(Figure.text(answer.path("deleted")));
    }

    @Override
    Table table(JsonNode profiles) {
        Table table = new Table()
                .text("KEY", Room.CUT_END)
                .text("LEVEL", Room.ALWAYS)
                .text("STATE", Room.ALWAYS)
                .number("TASKS", Room.ALWAYS)
                .number("RUN", Room.ALWAYS)
                .number("ALONE", Room.ALWAYS)
                .number("CONTENDED", Room.ALWAYS)
                .text("MOST", Room.OR_NONE)
                .text("MIXED", Room.OR_NONE)
                .text("UPDATED", Room.OR_NONE);
        for (JsonNode profile : profiles) {
            JsonNode runTime = profile.path("runTimeSeconds");
            String key = Figure.text(profile.path("key"));
            table.row(
                    profile.path("visible").asBoolean(true) ? key : "another user's " + key,
                    Figure.text(profile.path("level")),
                    Figure.lowerCase(profile.path("state")),
                    Figure.text(profile.path("samples")),
                    Figure.seconds(runTime.path("mean")),
                    Figure.seconds(runTime.path("alone").path("mean")),
                    Figure.seconds(runTime.path("contended").path("mean")),
                    signals.highest(profile.path("signals"), "mean"),
                    profile.path("polluted").asBoolean() ? "yes" : "no",
                    Figure.text(profile.path("updated")));
        }
        return table;
    }
}
