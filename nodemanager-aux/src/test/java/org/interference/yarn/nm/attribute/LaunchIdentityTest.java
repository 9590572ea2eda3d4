package org.interference.yarn.nm.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchIdentityTest {
    private static final String MAP =
            "$JAVA_HOME/bin/java -Djava.net.preferIPv4Stack=true -Dhadoop.metrics.log.level=WARN"
                    + " --add-opens=java.base/java.lang=ALL-UNNAMED -Xmx820m -Djava.io.tmpdir=$PWD/tmp"
                    + " -Dlog4j.configuration=container-log4j.properties"
                    + " -Dyarn.app.container.log.dir=/logs/application_1700000000000_0001/container_1 -Dhadoop.root.logger=INFO,CLA"
                    + " org.apache.hadoop.mapred.YarnChild 10.0.0.7 39217 attempt_1700000000000_0001_m_000003_0 5"
                    + " 1>/logs/stdout 2>/logs/stderr ";

    static Stream<Arguments> lines() {
        return Stream.of(
                line("a map task", LaunchRole.MAPREDUCE_MAP, "org.apache.hadoop.mapred.YarnChild", MAP),
                line(
                        "a reduce task",
                        LaunchRole.MAPREDUCE_REDUCE,
                        "org.apache.hadoop.mapred.YarnChild",
                        MAP.replace("_m_", "_r_")),
                line(
                        "the MapReduce master",
                        LaunchRole.MAPREDUCE_MASTER,
                        "org.apache.hadoop.mapreduce.v.app.MRAppMaster",
                        "{{JAVA_HOME}}/bin/java -Djava.io.tmpdir={{PWD}}/tmp -Dlog4j.configuration=container-log4j.properties"
                                + " -Dyarn.app.container.log.dir=<LOG_DIR> -Dhadoop.root.logfile=syslog -Xmx1024m"
                                + " org.apache.hadoop.mapreduce.v2.app.MRAppMaster 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr "),
                line(
                        "a Spark 3.5 executor",
                        LaunchRole.SPARK_EXECUTOR,
                        "org.apache.spark.executor.YarnCoarseGrainedExecutorBackend",
                        "LD_LIBRARY_PATH=\\\"$HADOOP_COMMON_HOME/lib/native:$LD_LIBRARY_PATH\\\" {{JAVA_HOME}}/bin/java -server"
                                + " -Xmx1024m -XX:+IgnoreUnrecognizedVMOptions"
                                + " '--add-opens=java.base/java.lang=ALL-UNNAMED' '-Djdk.reflect.useDirectMethodHandle=false'"
                                + " -Djava.io.tmpdir={{PWD}}/tmp '-Dspark.driver.port=34567'"
                                + " -Dspark.yarn.app.container.log.dir=<LOG_DIR> -XX:OnOutOfMemoryError='kill %p'"
                                + " org.apache.spark.executor.YarnCoarseGrainedExecutorBackend"
                                + " --driver-url spark://CoarseGrainedScheduler@driver:34567 --executor-id 1 --hostname n1"
                                + " --cores 1 --app-id application_1700000000000_0002 --resourceProfileId 0"
                                + " 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr"),
                line(
                        "a Spark executor as the NodeManager runs it",
                        LaunchRole.SPARK_EXECUTOR,
                        "org.apache.spark.executor.YarnCoarseGrainedExecutorBackend",
                        "exec /bin/bash -c \"LD_LIBRARY_PATH=\\\"$HADOOP_COMMON_HOME/lib/native\\\" $JAVA_HOME/bin/java -server"
                                + " -Xmx1024m '-Dspark.x=a b' org.apache.spark.executor.YarnCoarseGrainedExecutorBackend"
                                + " --executor-id 1 1>/logs/stdout 2>/logs/stderr\""),
                line(
                        "a Spark driver in its master",
                        LaunchRole.SPARK_DRIVER,
                        "org.apache.spark.deploy.yarn.ApplicationMaster",
                        "/bin/bash -c '{{JAVA_HOME}}/bin/java -server -Xmx1024m -Djava.io.tmpdir={{PWD}}/tmp"
                                + " org.apache.spark.deploy.yarn.ApplicationMaster --class org.example.Pi"
                                + " --jar file:/apps/pi.jar --arg 100 --properties-file {{PWD}}/__spark_conf__/__spark_conf__.properties'"),
                line(
                        "a Spark master without driver",
                        LaunchRole.SPARK_MASTER,
                        "org.apache.spark.deploy.yarn.ExecutorLauncher",
                        "{{JAVA_HOME}}/bin/java -server -Xmx512m org.apache.spark.deploy.yarn.ExecutorLauncher --arg h:1"),
                line(
                        "a Tez task",
                        LaunchRole.TEZ_TASK,
                        "org.apache.tez.runtime.task.TezChild",
                        "$JAVA_HOME/bin/java -Xmx819m -server -Djava.net.preferIPv4Stack=true -XX:+PrintGCDetails"
                                + " -Dlog4j.configuratorClass=org.apache.tez.common.TezLog4jConfigurator"
                                + " -Djava.io.tmpdir=$PWD/tmp org.apache.tez.runtime.task.TezChild host 4711"
                                + " container_e01_1700000000000_0003_01_000002 application_1700000000000_0003 1"),
                line(
                        "the Tez master",
                        LaunchRole.TEZ_MASTER,
                        "org.apache.tez.dag.app.DAGAppMaster",
                        "$JAVA_HOME/bin/java -Xmx819m -Dsun.nio.ch.bugLevel='' org.apache.tez.dag.app.DAGAppMaster --session"),
                line(
                        "the DistributedShell master",
                        LaunchRole.DISTRIBUTEDSHELL_MASTER,
                        "org.apache.hadoop.yarn.applications.distributedshell.ApplicationMaster",
                        "{{JAVA_HOME}}/bin/java -Xmx100m"
                                + " org.apache.hadoop.yarn.applications.distributedshell.ApplicationMaster"
                                + " --container_type GUARANTEED --container_memory 10 --num_containers 1 --priority 0"),
                line(
                        "a Storm worker",
                        LaunchRole.STORM_WORKER,
                        "org.apache.storm.daemon.worker.Worker",
                        "java -server -Dstorm.log.dir=/l -cp /opt/storm/lib/*:/conf -Xmx768m"
                                + " org.apache.storm.daemon.worker.Worker topology-1-1700000000 uuid 6700 worker-uuid"),
                line(
                        "a Storm supervisor behind a script line",
                        LaunchRole.STORM_SUPERVISOR,
                        "org.apache.storm.daemon.supervisor.Supervisor",
                        "cd storm && export STORM_HOME=$PWD; nohup java -cp lib/*"
                                + " org.apache.storm.daemon.supervisor.Supervisor 2>&1 | tee log"),
                line("a shell line", LaunchRole.SHELL_SCRIPT, "sh", "timeout 2 sh -c 'while :; do :; done'"),
                line("a keyword", LaunchRole.SHELL_SCRIPT, "sh", "while :; do :; done"),
                line("a script", LaunchRole.SHELL_SCRIPT, "job_.sh", "/bin/bash /home/u/job_7.sh --token x"),
                line("a script by its path", LaunchRole.SHELL_SCRIPT, "run.sh", "./run.sh 1 2 3"),
                line("another program", LaunchRole.UNKNOWN, "stress-ng", "nice -n 5 /usr/bin/stress-ng --cpu 1"),
                line("a wrapped program", LaunchRole.UNKNOWN, "fio", "timeout -s KILL 10s ionice -c 2 fio /jobs/a.fio"),
                line("a number in the name", LaunchRole.UNKNOWN, "python.", "/usr/bin/python3.11 train.py --lr 0.1"),
                line(
                        "Java options with values and files of arguments",
                        LaunchRole.UNKNOWN,
                        "org.example.Main",
                        "\"$JAVA_HOME\"/bin/java @jvm.args -cp a.jar:org.example.NotThis --add-opens java.base/x=ALL-UNNAMED"
                                + " $OPTS ${MORE} org.example.Main org.example.NotThisEither"),
                line(
                        "a module",
                        LaunchRole.UNKNOWN,
                        "org.example.Main",
                        "java -p mods -m org.example/org.example.Main"),
                line("a jar", LaunchRole.UNKNOWN, "server-.jar", "java -Xmx1g -jar /opt/lib/server-12.jar --port 80"),
                line(
                        "an attempt without a kind",
                        LaunchRole.UNKNOWN,
                        "org.apache.hadoop.mapred.YarnChild",
                        "java org.apache.hadoop.mapred.YarnChild h 1"));
    }

    private static Arguments line(String what, LaunchRole role, String main, String command) {
        return Arguments.of(what, role, main, command);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    void roleAndMainClassAreRead(String what, LaunchRole role, String main, String command) {
        assertThat(LaunchIdentity.of(List.of(command))).contains(new LaunchIdentity(role, main));
    }

    @Test
    void commandsMayComeInPieces() {
        assertThat(LaunchIdentity.of(List.of("$JAVA_HOME/bin/java", "-Xmx1g", "org.apache.tez.dag.app.DAGAppMaster")))
                .contains(new LaunchIdentity(LaunchRole.TEZ_MASTER, "org.apache.tez.dag.app.DAGAppMaster"));
    }

    @Test
    void canonicalTextHoldsRoleAndMainClassAndNothingElse() {
        assertThat(LaunchIdentity.of(List.of(MAP)).orElseThrow().canonical())
                .isEqualTo("MAPREDUCE_MAP\norg.apache.hadoop.mapred.YarnChild");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ";",
                "''",
                "\"",
                "java",
                "java -version",
                "java -cp",
                "java -m",
                "java -jar",
                "exec",
                "A=b",
                "timeout ''",
                "cd /tmp",
                "$LAUNCHER",
                "2>&1",
                "\\",
                "123"
            })
    void lineThatNamesNoProgramHasNoIdentity(String line) {
        assertThat(LaunchIdentity.of(List.of(line))).isEmpty();
    }

    @Test
    void noCommandsHaveNoIdentity() {
        assertThat(LaunchIdentity.of(List.of())).isEmpty();
    }

    static Stream<String> hostileLines() {
        Random random = new Random(11);
        String alphabet = "java sh -c'\"\\;&|()<>=$@/.{}\n\t_0aM";
        Stream<String> noise = IntStream.range(0, 2000).mapToObj(ignored -> random.ints(
                        random.nextInt(60), 0, alphabet.length())
                .collect(StringBuilder::new, (text, at) -> text.append(alphabet.charAt(at)), StringBuilder::append)
                .toString());
        return Stream.concat(
                noise,
                Stream.of(
                        "java " + "a.".repeat(500_000) + "Main",
                        "sh -c ".repeat(10_000) + "x",
                        "\"".repeat(99_999),
                        "x".repeat(1_000_000),
                        "java \0 \uD800"));
    }

    @Test
    void whateverIsLaunchedNothingIsThrown() {
        hostileLines().forEach(line -> assertThatCode(() -> LaunchIdentity.of(List.of(line)))
                .as(line.substring(0, Math.min(100, line.length())))
                .doesNotThrowAnyException());
    }

    @Test
    void pathArgumentsAndRunNumbersMakeNoOtherIdentity() {
        Optional<LaunchIdentity> one = LaunchIdentity.of(List.of(MAP));
        Optional<LaunchIdentity> other = LaunchIdentity.of(
                List.of(MAP.replace("1700000000000_0001", "1800000000000_0042").replace("$JAVA_HOME", "/opt/jdk-21")));

        assertThat(one).isPresent().isEqualTo(other);
    }
}
