package org.interference.yarn.dispatch.dag;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The variables of a Makeflow file while it is read: a name is looked up in the rule, then in its category, then in what was set before
 * any category, then in the environment. Not thread-safe.
 */
final class Variables {
    private static final int LONGEST = 1 << 15;
    private static final char QUOTE = '\'';

    private final Function<String, Optional<String>> environment;
    private final Map<String, String> all = new HashMap<>();
    private final Map<String, Map<String, String>> byCategory = new HashMap<>();
    private final Map<String, String> ofRule = new HashMap<>();
    private Optional<String> category = Optional.empty();

    Variables(Function<String, Optional<String>> environment) {
        this.environment = environment;
    }

    /** What is set and looked up from now on is that category's. */
    void setCategory(String name) {
        category = Optional.of(name);
    }

    Optional<String> category() {
        return category;
    }

    void beginRule() {
        ofRule.clear();
    }

    void set(boolean inRule, String name, String value) {
        scope(inRule).put(name, value);
    }

    private Map<String, String> scope(boolean inRule) {
        if (inRule) {
            return ofRule;
        }
        return category.map(kind -> byCategory.computeIfAbsent(kind, absent -> new HashMap<>()))
                .orElse(all);
    }

    /** Looks a name up as a rule of {@code kind} sees it. */
    Optional<String> lookUp(String name, Optional<String> kind) {
        return setting(name, kind).or(() -> environment.apply(name));
    }

    /** Looks up what the file itself sets. */
    Optional<String> setting(String name, Optional<String> kind) {
        return Optional.ofNullable(ofRule.get(name))
                .or(() -> kind.map(byCategory::get).map(values -> values.get(name)))
                .or(() -> Optional.ofNullable(all.get(name)));
    }

    /**
     * Replaces {@code $NAME}, {@code $(NAME)} and {@code ${NAME}} outside of single quotes, and {@code \$} by a dollar. What is put in is
     * not looked through again.
     *
     * @throws WorkflowException if a name has no value, or the text becomes too long
     */
    String expanded(MakeflowLines.Line line, String text, Optional<String> kind) throws WorkflowException {
        StringBuilder out = new StringBuilder();
        boolean quoted = false;
        boolean inDouble = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\' && !quoted && at + 1 < text.length()) {
                at++;
                if (text.charAt(at) != '$') {
                    out.append(c);
                }
                out.append(text.charAt(at));
            } else if (c == '$' && !quoted) {
                String name = name(line, text, at + 1);
                at += name.length() + (isBracket(text, at + 1) ? 2 : 0);
                out.append(lookUp(name, kind)
                        .orElseThrow(() -> new WorkflowException(
                                line.number(),
                                "uses $%s, which has no value".formatted(WorkflowException.shown(name)))));
            } else {
                quoted ^= c == QUOTE && !inDouble;
                inDouble ^= c == '"' && !quoted;
                out.append(c);
            }
            if (out.length() > LONGEST) {
                throw new WorkflowException(
                        line.number(), "has more than %d characters with its variables put in".formatted(LONGEST));
            }
        }
        return out.toString();
    }

    private static boolean isBracket(String text, int at) {
        return at < text.length() && (text.charAt(at) == '(' || text.charAt(at) == '{');
    }

    private static String name(MakeflowLines.Line line, String text, int from) throws WorkflowException {
        boolean bracket = isBracket(text, from);
        int begin = bracket ? from + 1 : from;
        int end = begin;
        while (end < text.length() && isOfName(text.charAt(end))) {
            end++;
        }
        char closing = bracket && text.charAt(from) == '(' ? ')' : '}';
        boolean closes = !bracket || (end < text.length() && text.charAt(end) == closing);
        if (end == begin || !closes) {
            throw new WorkflowException(line.number(), "has a $ that is no variable; the shell's are written \\$");
        }
        return text.substring(begin, end);
    }

    private static boolean isOfName(char c) {
        return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }
}
