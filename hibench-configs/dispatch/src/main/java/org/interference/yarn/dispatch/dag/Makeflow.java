package org.interference.yarn.dispatch.dag;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.interference.yarn.dispatch.dag.MakeflowLines.Line;

/**
 * Reads a Makeflow file (Albrecht et al., "Makeflow", SWEET 2012; the language as cctools' manual has it): rules of {@code targets:
 * sources} and a command of one line under them, which begins with a tab; {@code LOCAL} before a command; variables, {@code export};
 * {@code CATEGORY}, {@code CORES}, {@code MEMORY} and {@code DISK} (in MB), as variables and as {@code .MAKEFLOW} directives; {@code
 * file->name} where a file has another name beside the command; comments; lines that a backslash continues.
 *
 * <p>Other than Makeflow it refuses what it would not follow: {@code MAKEFLOW} rules (a file in a file), GPUS, {@code .UMBRELLA},
 * targets that are no relative paths, quotes over several lines.
 */
public final class Makeflow {
    private static final Pattern VARIABLE =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)\\s*(\\+?)=\\s*(.*)", Pattern.DOTALL);
    private static final Pattern DIRECTIVE = Pattern.compile("\\.[A-Z_]+");
    private static final Pattern KIND = Pattern.compile("[a-z0-9][a-z0-9._-]{0,89}");
    private static final Pattern FILE =
            Pattern.compile("/?[A-Za-z0-9_+@%=,~.-]{1,200}(/[A-Za-z0-9_+@%=,~.-]{1,200}){0,20}");
    private static final Set<String> MODES = Set.of("FIXED", "MIN_WASTE", "MAX_THROUGHPUT");
    private static final String CATEGORY = "CATEGORY";
    private static final String CORES = "CORES";
    private static final String MEMORY = "MEMORY";
    private static final String EXPORT = "export";
    /** What Makeflow asks for, by the largest that there may be. */
    private static final Map<String, Integer> SIZES = Map.of(CORES, 10_000, MEMORY, 100_000_000, "DISK", 1_000_000_000);

    private static final int MOST_RULES = 100_000;

    /** What Makeflow takes a task for that says nothing. */
    private static final Needs USUAL = new Needs(1, 1024);

    private final String unnamed;
    private final Variables variables;
    private final Set<String> exported = new TreeSet<>();
    private final List<Rule> rules = new ArrayList<>();
    private Optional<Head> head = Optional.empty();

    /** A rule whose command is still to come. */
    private record Head(Line line, List<FileUse> targets, List<FileUse> sources, Optional<String> category) {}

    private Makeflow(String unnamed, Variables variables) {
        this.unnamed = unnamed;
        this.variables = variables;
    }

    /**
     * Reads a workflow.
     *
     * @param unnamed the category of rules that name none
     * @param environment gives values to variables that the file does not set
     */
    public static Workflow of(List<String> lines, String unnamed, Function<String, Optional<String>> environment)
            throws WorkflowException {
        Makeflow file = new Makeflow(unnamed, new Variables(environment));
        for (Line line : MakeflowLines.of(lines)) {
            file.read(line);
        }
        file.requireCommand();
        if (file.rules.isEmpty()) {
            throw new WorkflowException(Math.max(1, lines.size()), "is the end of a file without rules");
        }
        return Workflow.of(file.rules);
    }

    private void read(Line line) throws WorkflowException {
        String text = line.text().strip();
        boolean indented = Character.isWhitespace(line.text().charAt(0));
        boolean setting =
                text.startsWith("@") || DIRECTIVE.matcher(firstWord(text)).matches();
        if (line.text().charAt(0) == '\t' || (indented && head.isPresent() && !setting)) {
            command(line, text);
        } else if (DIRECTIVE.matcher(firstWord(text)).matches()) {
            directive(line, List.of(text.split("\\s+", -1)));
        } else if (text.startsWith("@")) {
            if (head.isEmpty()) {
                throw new WorkflowException(line.number(), "sets a variable of a rule, but is under none");
            }
            variable(line, text.substring(1));
        } else if (firstWord(text).equals(EXPORT)) {
            export(line, text.substring(EXPORT.length()).strip());
        } else if (isRule(text)) {
            requireCommand();
            head(line, text);
        } else {
            variable(line, text);
        }
    }

    private static String firstWord(String text) {
        return text.split("\\s", 2)[0];
    }

    /** A colon makes a rule if no equals sign is before it. */
    private static boolean isRule(String text) {
        int colon = text.indexOf(':');
        int equals = text.indexOf('=');
        return colon >= 0 && (equals < 0 || colon < equals);
    }

    private void requireCommand() throws WorkflowException {
        if (head.isPresent()) {
            throw new WorkflowException(
                    head.get().line().number(), "is a rule without a command; it begins with a tab");
        }
    }

    private void head(Line line, String text) throws WorkflowException {
        if (rules.size() == MOST_RULES) {
            throw new WorkflowException(line.number(), "is one rule more than %d".formatted(MOST_RULES));
        }
        int colon = text.indexOf(':');
        variables.beginRule();
        List<FileUse> targets = files(line, text.substring(0, colon));
        List<FileUse> sources = files(line, text.substring(colon + 1));
        if (targets.isEmpty()) {
            throw new WorkflowException(line.number(), "is a rule without a target");
        }
        for (FileUse target : targets) {
            if (target.isOfTheNode()) {
                throw new WorkflowException(
                        line.number(),
                        "has the target '%s' but must name it relative to the workflow's folder"
                                .formatted(WorkflowException.shown(target.name())));
            }
        }
        head = Optional.of(new Head(line, targets, sources, variables.category()));
    }

    private List<FileUse> files(Line line, String text) throws WorkflowException {
        String list = variables
                .expanded(line, text, variables.category())
                .replaceAll("[\"']", "")
                .replaceAll("\\s*->\\s*", "->");
        List<FileUse> files = new ArrayList<>();
        for (String word : list.strip().split("\\s+", -1)) {
            if (!word.isEmpty()) {
                files.add(file(line, word));
            }
        }
        return files;
    }

    private static FileUse file(Line line, String word) throws WorkflowException {
        int arrow = word.indexOf("->");
        String name = path(line, arrow < 0 ? word : word.substring(0, arrow));
        FileUse file = new FileUse(name, arrow < 0 ? name : path(line, word.substring(arrow + 2)));
        if (arrow >= 0 && (file.isOfTheNode() || file.inside().startsWith("/"))) {
            throw new WorkflowException(
                    line.number(),
                    "renames '%s' but both names must be relative".formatted(WorkflowException.shown(word)));
        }
        return file;
    }

    private static String path(Line line, String word) throws WorkflowException {
        String path = word.replaceFirst("^(\\./+)+", "");
        boolean usable = FILE.matcher(path).matches()
                && List.of(path.split("/", -1)).stream().noneMatch(part -> part.equals("..") || part.equals("."));
        if (!usable) {
            throw new WorkflowException(
                    line.number(),
                    "names the file '%s' but names are paths without .. of letters, digits and any of _+@%%=,~.-"
                            .formatted(WorkflowException.shown(word)));
        }
        return path;
    }

    private void command(Line line, String text) throws WorkflowException {
        Head rule = head.orElseThrow(() ->
                new WorkflowException(line.number(), "is a command under no rule; a rule has one, and && joins two"));
        Optional<String> category = rule.category();
        String command = variables.expanded(line, text, category).strip();
        boolean local = value("BATCH_LOCAL", category)
                .filter(value -> value.matches("(?i)1|true|yes"))
                .isPresent();
        while (firstWord(command).equals("LOCAL")) {
            local = true;
            command = command.substring("LOCAL".length()).strip();
        }
        if (firstWord(command).equals("MAKEFLOW")) {
            throw new WorkflowException(
                    line.number(), "runs a Makeflow file of its own; its rules must be in this one");
        }
        if (command.isEmpty()) {
            throw new WorkflowException(line.number(), "has no command");
        }
        Map<String, String> environment = new TreeMap<>();
        for (String name : exported) {
            value(name, category).ifPresent(value -> environment.put(name, value));
        }
        int number = rules.size();
        int at = rule.line().number();
        rules.add(new Rule(
                number,
                at,
                category.orElse(unnamed),
                new Needs(size(CORES, category, USUAL.cores()), size(MEMORY, category, USUAL.memoryMb())),
                local,
                rule.targets(),
                rule.sources(),
                command,
                environment));
        head = Optional.empty();
        variables.beginRule();
    }

    private Optional<String> value(String name, Optional<String> category) {
        return variables.lookUp(name, category).map(Makeflow::unquoted);
    }

    /** The file sets no wrong one; the environment is not asked, as it may have such a name by chance. */
    private int size(String name, Optional<String> category, int usual) {
        return variables.setting(name, category).map(Integer::parseInt).orElse(usual);
    }

    private void variable(Line line, String text) throws WorkflowException {
        Matcher matcher = VARIABLE.matcher(text);
        if (!matcher.matches()) {
            requireCommand();
            throw new WorkflowException(
                    line.number(),
                    "begins with '%s' but must be a rule, NAME=VALUE, export or .MAKEFLOW"
                            .formatted(WorkflowException.shown(firstWord(text))));
        }
        String name = matcher.group(1);
        Optional<String> category = head.map(Head::category).orElse(variables.category());
        String value = variables.expanded(line, matcher.group(3), category);
        if (matcher.group(2).isEmpty()) {
            set(line, name, value);
        } else {
            set(
                    line,
                    name,
                    variables
                            .setting(name, category)
                            .map(old -> old + " " + value)
                            .orElse(value));
        }
    }

    private void set(Line line, String name, String value) throws WorkflowException {
        if (name.equals(CATEGORY) || name.equals("SYMBOL")) {
            setCategory(line, unquoted(value));
        } else if (SIZES.containsKey(name)) {
            variables.set(head.isPresent(), name, Integer.toString(size(line, name, unquoted(value))));
        } else if (name.equals("GPUS") && !unquoted(value).equals("0")) {
            throw new WorkflowException(line.number(), "sets GPUS, which are not asked of YARN");
        } else {
            variables.set(head.isPresent(), name, value);
        }
    }

    private void setCategory(Line line, String name) throws WorkflowException {
        String kind = name.toLowerCase(Locale.ROOT);
        if (!KIND.matcher(kind).matches()) {
            throw new WorkflowException(
                    line.number(),
                    "names the category '%s' but must name it by 1 to 90 letters, digits, '.', '_' and '-', as it becomes a tag"
                            .formatted(WorkflowException.shown(name)));
        }
        if (head.isPresent()) {
            Head rule = head.get();
            head = Optional.of(new Head(rule.line(), rule.targets(), rule.sources(), Optional.of(kind)));
        } else {
            variables.setCategory(kind);
        }
    }

    private static int size(Line line, String name, String value) throws WorkflowException {
        int most = SIZES.get(name);
        if (!value.matches("[0-9]{1,10}") || Long.parseLong(value) == 0 || Long.parseLong(value) > most) {
            throw new WorkflowException(
                    line.number(),
                    "sets %s to '%s' but must set it to a whole number from 1 to %d%s"
                            .formatted(
                                    name, WorkflowException.shown(value), most, name.equals(CORES) ? "" : ", in MB"));
        }
        return Integer.parseInt(value);
    }

    private static String unquoted(String value) {
        return value.matches("(?s)\"[^\"]*\"|'[^']*'") ? value.substring(1, value.length() - 1) : value;
    }

    private void directive(Line line, List<String> words) throws WorkflowException {
        if (words.get(0).equals(".SIZE") && words.size() == 3) {
            // An estimate of a file's size, which nothing is decided by.
            return;
        }
        if (!words.get(0).equals(".MAKEFLOW") || words.size() != 3) {
            throw unknown(line, words);
        }
        String value =
                variables.expanded(line, words.get(2), head.map(Head::category).orElse(variables.category()));
        if (words.get(1).equals(CATEGORY) || SIZES.containsKey(words.get(1))) {
            set(line, words.get(1), value);
        } else if (!words.get(1).equals("MODE") || !MODES.contains(value)) {
            throw unknown(line, words);
        }
    }

    private static WorkflowException unknown(Line line, List<String> words) {
        return new WorkflowException(
                line.number(),
                "is '%s' but directives are .MAKEFLOW with CATEGORY, CORES, MEMORY, DISK or MODE and a value, and .SIZE FILE BYTES"
                        .formatted(WorkflowException.shown(String.join(" ", words))));
    }

    private void export(Line line, String text) throws WorkflowException {
        requireCommand();
        if (text.contains("=")) {
            variable(line, text);
            exported.add(text.split("[\\s+=]", 2)[0]);
            return;
        }
        for (String name : text.split("\\s+", -1)) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new WorkflowException(
                        line.number(),
                        "exports '%s', which is no variable's name".formatted(WorkflowException.shown(name)));
            }
            exported.add(name);
        }
    }
}
