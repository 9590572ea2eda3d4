package org.interference.yarn.parents;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/** The ResourceManager's published tests, as they are in the jar. */
final class TestsJar {
    /** The second has configuration files that the first leaves out. */
    private static final Pattern FILE =
            Pattern.compile("hadoop-yarn-server-resourcemanager-.*-(tests|test-sources)\\.jar");

    private static final Pattern TEST = Pattern.compile("(?:.*/)?Test[^/$]*\\.class");
    private static final String PACKAGE = "org/apache/hadoop/yarn/server/resourcemanager/";
    /** Who names none of these, nor has a superclass that does, meets no scheduler. */
    private static final List<String> OF_SCHEDULERS = Stream.of(
                    "scheduler/capacity/CapacityScheduler",
                    "scheduler/fair/FairScheduler",
                    "scheduler/AbstractYarnScheduler",
                    "scheduler/ResourceScheduler",
                    "scheduler/YarnScheduler",
                    "ResourceManager",
                    "MockRM")
            .map(PACKAGE::concat)
            .toList();

    /** Many tests set the level to DEBUG, and some time out while all that is written. */
    private static final String LOG = """
            log4j.rootLogger=INFO, stdout
            log4j.appender.stdout=org.apache.log4j.ConsoleAppender
            log4j.appender.stdout.Threshold=INFO
            log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
            log4j.appender.stdout.layout.ConversionPattern=%d{ISO8601} %p [%t] %c: %m%n
            """;

    private final Map<String, byte[]> files;

    private TestsJar(Map<String, byte[]> files) {
        this.files = files;
    }

    /** Reads the jar on {@code classPath}. */
    static TestsJar on(String classPath) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String jar : elements(classPath).filter(TestsJar::isTheJar).toList()) {
            try (JarFile open = new JarFile(jar)) {
                for (JarEntry entry : (Iterable<JarEntry>) open.stream()::iterator) {
                    if (!entry.isDirectory() && !entry.getName().endsWith(".java")) {
                        files.put(entry.getName(), open.getInputStream(entry).readAllBytes());
                    }
                }
            }
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no " + FILE + " in " + classPath);
        }
        return new TestsJar(files);
    }

    /** Returns {@code classPath} without the jar, whose place its unpacked files take. */
    static String without(String classPath) {
        return elements(classPath)
                .filter(element -> !isTheJar(element))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<String> elements(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator));
    }

    private static boolean isTheJar(String element) {
        return FILE.matcher(Path.of(element).getFileName().toString()).matches();
    }

    /** Returns the names of the test classes that meet a scheduler, those of the REST services and pages apart. */
    List<String> schedulerTests() {
        return tests().filter(file -> !isOfPages(file) && meetsAScheduler(file))
                .map(TestsJar::className)
                .toList();
    }

    /** Returns the names of the test classes that meet no scheduler. */
    List<String> otherTests() {
        return tests().filter(file -> !isOfPages(file) && !meetsAScheduler(file))
                .map(TestsJar::className)
                .toList();
    }

    /** Returns the names of the test classes of REST services and pages. */
    List<String> testsOfPages() {
        return tests().filter(TestsJar::isOfPages).map(TestsJar::className).toList();
    }

    private Stream<String> tests() {
        return files.keySet().stream().filter(file -> TEST.matcher(file).matches() && !isAbstract(file));
    }

    private boolean isAbstract(String file) {
        return (new ClassReader(files.get(file)).getAccess() & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0;
    }

    private static boolean isOfPages(String file) {
        return file.contains("/webapp/");
    }

    /** Whether the class, what is nested in it, or one of its superclasses names a scheduler. */
    private boolean meetsAScheduler(String file) {
        String name = file.substring(0, file.length() - ".class".length());
        boolean names = files.entrySet().stream()
                .filter(entry -> entry.getKey().equals(file) || entry.getKey().startsWith(name + "$"))
                .map(entry -> new String(entry.getValue(), StandardCharsets.ISO_8859_1))
                .anyMatch(constants -> OF_SCHEDULERS.stream().anyMatch(constants::contains));
        String parent = new ClassReader(files.get(file)).getSuperName() + ".class";
        return names || (files.containsKey(parent) && meetsAScheduler(parent));
    }

    private static String className(String file) {
        return file.substring(0, file.length() - ".class".length()).replace('/', '.');
    }

    /**
     * Writes all files below {@code directory}, for {@code variant}.
     *
     * @param scratch what the tests may write to; without, tests that run at the same time share one place of this machine
     */
    void unpack(Path directory, SchedulerVariant variant, Path scratch) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            boolean rewritten = variant.isOurs() && file.getKey().endsWith(".class");
            Files.write(path, rewritten ? Substitution.in(file.getValue()) : file.getValue());
        }
        Files.writeString(directory.resolve("log4j.properties"), LOG);
        Files.writeString(directory.resolve("yarn-site.xml"), site(variant, scratch));
    }

    /** What tests leave to the defaults; the jar's own is empty. */
    private static String site(SchedulerVariant variant, Path scratch) {
        String ours = """
                  <property>
                    <name>yarn.resourcemanager.scheduler.class</name>
                    <value>org.interference.yarn.InterferenceAwareScheduler</value>
                  </property>
                  <property>
                    <name>yarn.interference.place.mode</name>
                    <value>%s</value>
                  </property>
                """.formatted(variant);
        return """
                <configuration>
                  <property>
                    <name>yarn.node-attribute.fs-store.root-dir</name>
                    <value>%s</value>
                  </property>
                %s</configuration>
                """.formatted(scratch.resolve("node-attributes").toUri(), variant.isOurs() ? ours : "");
    }
}
