package org.interference.yarn.nm.attribute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The program that a command line launches.
 *
 * @param name the main class, or the base name of the program or of the shell's script
 * @param arguments the words after it
 */
record LaunchProgram(Kind kind, String name, List<String> arguments) {
    enum Kind {
        JAVA,
        SHELL,
        OTHER
    }

    /** A line in a line in a line is as deep as launchers nest. */
    private static final int DEEPEST = 4;

    private static final int LONGEST_CLASS_NAME = 512;

    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*\\+?=.*", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.+-]*");
    private static final Pattern REDIRECTION = Pattern.compile("(&|[0-9]*)(>>?|<).*", Pattern.DOTALL);

    private static final Pattern WRAPPER_OPTION = Pattern.compile("[-0-9].*", Pattern.DOTALL);

    /** Options of java whose value is the next word. */
    private static final Set<String> OPTIONS_WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--limit-modules",
            "--enable-native-access",
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--patch-module",
            "--source");

    private static final Set<String> OPTIONS_WITH_MODULE = Set.of("-m", "--module");

    /** Programs that run the program named after their own options. */
    private static final Set<String> WRAPPERS = Set.of(
            "exec", "command", "env", "nohup", "setsid", "nice", "ionice", "chrt", "taskset", "numactl", "stdbuf",
            "time", "timeout");

    private static final Set<String> WRAPPER_OPTIONS_WITH_VALUE = Set.of("-s", "-u", "-o");

    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ksh", "zsh");

    private static final Set<String> KEYWORDS =
            Set.of("while", "until", "for", "if", "case", "do", "then", "else", "{", "!", "function", "[", "[[", ":");

    /** What prepares a launch, and is none. */
    private static final Set<String> PREPARATIONS = Set.of(
            "cd", "export", "set", "unset", "umask", "ulimit", "trap", "source", ".", "mkdir", "ln", "cp", "mv", "rm",
            "chmod", "echo", "printf", "test", "true");

    LaunchProgram {
        arguments = List.copyOf(arguments);
    }

    /** Returns the first Java program of {@code line}, or else the first program. */
    static Optional<LaunchProgram> of(String line) {
        return of(line, 0);
    }

    private static Optional<LaunchProgram> of(String line, int depth) {
        List<LaunchProgram> programs = new ArrayList<>();
        for (List<String> command : ShellWords.commands(line)) {
            program(command, depth).ifPresent(programs::add);
        }
        return programs.stream()
                .filter(program -> program.kind() == Kind.JAVA)
                .findFirst()
                .or(() -> programs.stream().findFirst());
    }

    private static Optional<LaunchProgram> program(List<String> words, int depth) {
        int at = 0;
        boolean wrapped = false;
        while (at < words.size()) {
            String word = words.get(at);
            String name = baseName(word);
            at++;
            if (ASSIGNMENT.matcher(word).matches() || REDIRECTION.matcher(word).matches()) {
                continue;
            }
            if (WRAPPERS.contains(name)) {
                wrapped = true;
                continue;
            }
            // The options and numbers of a wrapper: nice -n 5, timeout -s KILL 10s, taskset 0x3.
            if (wrapped && WRAPPER_OPTION.matcher(word).matches()) {
                at += WRAPPER_OPTIONS_WITH_VALUE.contains(word) ? 1 : 0;
                continue;
            }
            List<String> rest = words.subList(at, words.size());
            if (name.equals("java")) {
                return java(rest);
            }
            if (SHELLS.contains(name)) {
                return shell(name, rest, depth);
            }
            if (KEYWORDS.contains(word)) {
                return Optional.of(new LaunchProgram(Kind.SHELL, "sh", rest));
            }
            if (PREPARATIONS.contains(name) || !NAME.matcher(name).matches()) {
                return Optional.empty();
            }
            return Optional.of(new LaunchProgram(name.endsWith(".sh") ? Kind.SHELL : Kind.OTHER, name, rest));
        }
        return Optional.empty();
    }

    private static Optional<LaunchProgram> java(List<String> words) {
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            List<String> rest = words.subList(at + 1, words.size());
            if (OPTIONS_WITH_VALUE.contains(word)) {
                at++;
            } else if (OPTIONS_WITH_MODULE.contains(word)) {
                return rest.isEmpty() ? Optional.empty() : mainClass(afterSlash(rest.get(0)), rest);
            } else if (word.equals("-jar")) {
                return rest.isEmpty() || !NAME.matcher(baseName(rest.get(0))).matches()
                        ? Optional.empty()
                        : Optional.of(new LaunchProgram(Kind.JAVA, baseName(rest.get(0)), rest));
            } else if (isClassName(word)) {
                return mainClass(word, rest);
            }
            // Everything else is an option, an @argfile, or a variable that holds some.
        }
        return Optional.empty();
    }

    private static Optional<LaunchProgram> mainClass(String name, List<String> arguments) {
        return isClassName(name) ? Optional.of(new LaunchProgram(Kind.JAVA, name, arguments)) : Optional.empty();
    }

    /** A shell runs the line after -c, or its script, or what it reads. */
    private static Optional<LaunchProgram> shell(String name, List<String> words, int depth) {
        boolean line = false;
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            List<String> rest = words.subList(at + 1, words.size());
            if (line) {
                return (depth < DEEPEST ? of(word, depth + 1) : Optional.<LaunchProgram>empty())
                        .or(() -> Optional.of(new LaunchProgram(Kind.SHELL, name, List.of())));
            }
            if (word.startsWith("-") || word.startsWith("+")) {
                line = !word.startsWith("--") && word.indexOf('c') > 0;
            } else if (NAME.matcher(baseName(word)).matches()) {
                return Optional.of(new LaunchProgram(Kind.SHELL, baseName(word), rest));
            } else {
                break;
            }
        }
        return Optional.of(new LaunchProgram(Kind.SHELL, name, List.of()));
    }

    /** The bound keeps the matcher from recursing too deep. */
    private static boolean isClassName(String word) {
        return word.length() <= LONGEST_CLASS_NAME && CLASS.matcher(word).matches();
    }

    private static String baseName(String path) {
        return afterSlash(path);
    }

    private static String afterSlash(String text) {
        return text.substring(text.lastIndexOf('/') + 1);
    }
}
