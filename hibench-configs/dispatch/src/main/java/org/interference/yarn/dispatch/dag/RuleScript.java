package org.interference.yarn.dispatch.dag;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The shell script that runs a rule in a folder of its own, which has its sources, and puts its targets into the workflow's folder. Each
 * target appears there as a whole. Pure.
 */
public final class RuleScript {
    /** The script ends so when the command succeeded and has not made a target. */
    public static final int NOT_MADE = 66;

    /** The script ends so when a target cannot be put into the folder. */
    public static final int NOT_PUT = 67;

    private static final String HADOOP = "\"$JAVA_HOME\"/bin/java -Xmx128m org.apache.hadoop.fs.FsShell";

    private RuleScript() {}

    /** Returns the script for a folder that is a path on every node. */
    public static String forPath(Rule rule, String folder) {
        StringBuilder script = begin(rule);
        for (FileUse target : rule.targets()) {
            String to = folder + "/" + target.name();
            int slash = to.lastIndexOf('/');
            String parent = to.substring(0, slash);
            String fresh = quoted(parent + "/." + to.substring(slash + 1)) + "\".$CONTAINER_ID\"";
            // A folder that is there is not moved over.
            script.append(
                    "mkdir -p -- %1$s && cp -R -- %2$s %3$s && { [ ! -d %4$s ] || rm -rf -- %4$s; } && mv -fT -- %3$s %4$s || exit %5$d%n"
                            .formatted(quoted(parent), quoted(target.inside()), fresh, quoted(to), NOT_PUT));
        }
        return script.toString();
    }

    /** Returns the script for a folder on a file system of Hadoop's, whose classes CLASSPATH has. */
    public static String forFileSystem(Rule rule, String folder) {
        StringBuilder script = begin(rule);
        for (FileUse target : rule.targets()) {
            String to = folder + "/" + target.name();
            String parent = to.substring(0, to.lastIndexOf('/'));
            // Into a folder that is there a folder would be put.
            script.append(
                    "%1$s -mkdir -p %2$s && { [ ! -d %3$s ] || %1$s -rm -r -f -skipTrash %4$s; } && %1$s -put -f %3$s %4$s || exit %5$d%n"
                            .formatted(HADOOP, quoted(parent), quoted(target.inside()), quoted(to), NOT_PUT));
        }
        return script.toString();
    }

    private static StringBuilder begin(Rule rule) {
        StringBuilder script = new StringBuilder();
        Set<String> folders = new TreeSet<>();
        for (FileUse target : rule.targets()) {
            int slash = target.inside().lastIndexOf('/');
            if (slash > 0) {
                folders.add(target.inside().substring(0, slash));
            }
        }
        new TreeMap<>(rule.environment())
                .forEach((name, value) -> script.append("export %s=%s%n".formatted(name, quoted(value))));
        for (String folder : folders) {
            script.append("mkdir -p -- %s%n".formatted(quoted(folder)));
        }
        script.append("/bin/sh -c %s </dev/null || exit%n".formatted(quoted(rule.command())));
        for (FileUse target : rule.targets()) {
            script.append("[ -e %s ] || { echo %s >&2; exit %d; }%n"
                    .formatted(
                            quoted(target.inside()),
                            quoted("dispatch: the command has not made " + target.inside()),
                            NOT_MADE));
        }
        return script;
    }

    /** Returns a text as one word of the shell's. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
