# shellcheck shell=bash
# A stock YARN of one node on a machine of bin/lib/machine.sh: its daemons are processes of the user yarn. Sourced, not run; $hadoop is its version, whose
# jars fetch_hadoop has put into target/hadoop.

conf=/etc/hadoop/conf

# fetch_hadoop VERSION: before the namespaces.
fetch_hadoop() {
    local folder=$repo/target/hadoop/$1
    if [[ ! -d $folder ]]; then
        rm -rf "$folder.new"
        mvn -B -ntp -q -f "$repo/build-tools/hadoop/pom.xml" dependency:copy-dependencies "-Dhadoop.version=$1" "-Dhadoop.output=$folder.new"
        mv "$folder.new" "$folder"
    fi
}

# Stock Hadoop as Bigtop lays it out, with stand-ins for its programs: nobody publishes those as an artifact.
install_hadoop() {
    local options=
    [[ $hadoop == 3.5.* ]] || options="--add-opens=java.base/java.lang=ALL-UNNAMED"
    mkdir -p /usr/lib/hadoop-yarn/lib /usr/lib/hadoop-yarn/stock "$conf" "$scratch/home"/{local,logs,tmp}
    mount --bind "$repo/target/hadoop/$hadoop" /usr/lib/hadoop-yarn/stock
    cat >/usr/bin/hadoop <<PROGRAM
#!/bin/bash
[[ ! -f $conf/yarn-env.sh ]] || source $conf/yarn-env.sh
exec $JAVA_HOME/bin/java $options -Xmx512m -cp "$conf:/usr/lib/hadoop-yarn/stock/*:/usr/lib/hadoop-yarn/lib/*:\$HADOOP_CLASSPATH" "\$@"
PROGRAM
    chmod 0755 /usr/bin/hadoop
    echo "127.0.0.1 localhost $(hostname)" >/etc/hosts
    {
        echo "<configuration>"
        property yarn.scheduler.capacity.root.queues default
        property yarn.scheduler.capacity.root.default.capacity 100
        property yarn.scheduler.capacity.maximum-am-resource-percent 1
        echo "</configuration>"
    } >$conf/capacity-scheduler.xml
    {
        echo "<configuration>"
        property fs.defaultFS file:///
        property hadoop.tmp.dir "$scratch/home/tmp"
        echo "</configuration>"
    } >$conf/core-site.xml
    {
        echo "<configuration>"
        property mapreduce.framework.name yarn
        property mapreduce.application.classpath "/usr/lib/hadoop-yarn/stock/*"
        property yarn.app.mapreduce.am.staging-dir "$scratch/home/staging"
        property yarn.app.mapreduce.am.resource.mb 512
        property yarn.app.mapreduce.am.command-opts "-Xmx300m $options"
        property mapreduce.map.memory.mb 512
        property mapreduce.reduce.memory.mb 512
        property mapred.child.java.opts "-Xmx300m $options"
        echo "</configuration>"
    } >$conf/mapred-site.xml
    printf '%s\n' "log4j.rootLogger=INFO,console" "log4j.appender.console=org.apache.log4j.ConsoleAppender" \
        "log4j.appender.console.layout=org.apache.log4j.PatternLayout" "log4j.appender.console.layout.ConversionPattern=%d %p %c{1}: %m%n" \
        >$conf/log4j.properties
    configure_yarn
    chown -R yarn:hadoop "$scratch/home"
}

# configure_yarn [FILE]: yarn-site.xml as this cluster's, and the properties of the file.
configure_yarn() {
    {
        echo "<configuration>"
        property yarn.nodemanager.local-dirs "$scratch/home/local"
        property yarn.nodemanager.log-dirs "$scratch/home/logs"
        property yarn.nodemanager.resource.memory-mb 4096
        property yarn.nodemanager.vmem-check-enabled false
        property yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage 99.9
        property yarn.nodemanager.node-attributes.fs-store.root-dir "$scratch/home/attributes"
        property yarn.node-attribute.fs-store.root-dir "file://$scratch/home/attributes"
        property yarn.nodemanager.aux-services mapreduce_shuffle
        property yarn.application.classpath "$conf,/usr/lib/hadoop-yarn/stock/*"
        property yarn.scheduler.minimum-allocation-mb 256
        (($# == 0)) || sed -n '/<configuration>/,/<\/configuration>/{//!p}' "$1"
        echo "</configuration>"
    } >$conf/yarn-site.xml
}

# as_yarn [exec] COMMAND ...: in its home; with exec in place of this process.
as_yarn() {
    local -a how=()
    if [[ $1 == exec ]]; then
        how=(exec)
        shift
    fi
    "${how[@]}" setpriv --reuid=yarn --regid=hadoop --init-groups --bounding-set=-all --inh-caps=-all \
        env -C "$scratch/home" HOME="$scratch/home" "$@"
}

start_daemons() {
    as_yarn exec hadoop org.apache.hadoop.yarn.server.resourcemanager.ResourceManager </dev/null >"$scratch/logs/resourcemanager" 2>&1 &
    resourcemanager=$!
    disown
    as_yarn exec hadoop org.apache.hadoop.yarn.server.nodemanager.NodeManager </dev/null >"$scratch/logs/nodemanager" 2>&1 &
    nodemanager=$!
    disown
    await 120 "a NodeManager registers" a_node_registers
}

# Fails at once where a daemon has ended.
a_node_registers() {
    ! is_gone "$resourcemanager" || failed "the ResourceManager ended"
    ! is_gone "$nodemanager" || failed "the NodeManager ended"
    one_node_runs
}

is_gone() {
    ! kill -0 "$1" 2>/dev/null
}

stop_daemons() {
    kill "$resourcemanager" "$nodemanager"
    await 60 "the daemons end" is_gone "$resourcemanager"
    await 60 "both of them" is_gone "$nodemanager"
}

run_job() {
    as_yarn hadoop org.apache.hadoop.util.RunJar /usr/lib/hadoop-yarn/stock/hadoop-mapreduce-examples-*.jar pi 2 10 \
        >"$scratch/logs/job" 2>&1 || failed "the job"
    grep -q "Estimated value of Pi" "$scratch/logs/job" || failed "the job says nothing"
    passed "a MapReduce job runs"
}

# health EXPRESSION: whether it holds for what the plugin says of itself.
health() {
    rest interference/health | python3 -c "
import json, sys
health = json.load(sys.stdin)
sys.exit(not ($1))" 2>>"$scratch/logs/health"
}

switch() {
    sed -i "/yarn.interference.place.mode/{n;s/<value>.*</<value>$1</}" $conf/yarn-site.xml
    as_yarn hadoop org.apache.hadoop.yarn.client.cli.RMAdminCLI -refreshQueues >"$scratch/logs/refresh" 2>&1 || failed "refreshing the queues"
    await 10 "it is switched to $1" health "health['mode'] == '$1'"
}

# say_version VERSION: what this Hadoop says that it is.
say_version() {
    local properties=common-version-info.properties
    python3 -c "
import sys, zipfile
sys.stdout.write(zipfile.ZipFile('$(echo /usr/lib/hadoop-yarn/stock/hadoop-common-[0-9]*.jar)').read('$properties').decode())" |
        sed "s/^version=.*/version=$1/" >"$conf/$properties"
}
