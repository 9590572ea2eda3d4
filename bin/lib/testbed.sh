# shellcheck shell=bash
# The test bed's hosts and daemons: making them, and finding and removing all of it by name; sourced, not run.
# Who sources it sets `repo`, and `home`, where results and logs are kept.
# shellcheck disable=SC2154
#
# Everything that is made has a fixed place or a name with one prefix, so that what a killed test bed left is found without its help:
# processes and limits in the groups .../intbed, namespaces and links intbed*, images, mounts and loop devices below $bed.

bed=/var/lib/interference-testbed
prefix=intbed
groups=/sys/fs/cgroup
network=198.19.200
resource_manager=$network.1

# What a host has: a share of a CPU, its disk's byte/s and requests/s (each way), its NIC, and its slots, whose memory it has.
host_cores_percent=40
host_disk_bytes=$((60 * 1000 * 1000))
host_disk_requests=2000
host_nic=200mbit
host_slots=${TESTBED_SLOTS:-3}
slot_mb=512
resource_manager_pid=
socket=none
store=none
constraints=disabled
capacity=off
control=off
rule=ours
# Whether a host has all that the machine has: its containers then join no group of it.
unlimited=false
node_pids=()
image_mb=512
data_mb=128

fail() {
    echo "bin/testbed: $*" >&2
    exit 1
}

# --- what this machine must have ---------------------------------------------------------------------------------------------

require_facilities() {
    local controller
    for controller in cpu cpuacct cpuset blkio memory; do
        [[ -e $groups/$controller/cgroup.procs ]] ||
            fail "there is no version 1 cgroup hierarchy $groups/$controller (on systemd: boot with systemd.unified_cgroup_hierarchy=0)"
    done
    [[ -e $groups/unified/cpu.pressure ]] ||
        fail "there is no version 2 cgroup hierarchy $groups/unified that tells pressure (mount -t cgroup2 cgroup2 $groups/unified; CONFIG_PSI)"
    [[ -e $groups/cpu/cpu.shares ]] || fail "the kernel has no cgroup CPU shares (CONFIG_FAIR_GROUP_SCHED)"
    mkdir -p "$groups/cpu/$prefix" "$groups/blkio/$prefix"
    [[ -e $groups/cpu/$prefix/cpu.cfs_quota_us ]] || fail "the kernel has no CPU quotas (CONFIG_CFS_BANDWIDTH)"
    [[ -e $groups/blkio/$prefix/blkio.throttle.read_bps_device ]] || fail "the kernel cannot throttle disks (CONFIG_BLK_DEV_THROTTLING)"
    [[ -e /dev/loop-control ]] || fail "the kernel has no loop devices (CONFIG_BLK_DEV_LOOP)"
}

# --- removing ----------------------------------------------------------------------------------------------------------------

bed_processes() {
    find "$groups/cpu/$prefix" -name cgroup.procs -exec cat {} + 2>/dev/null || true
}

# Kills them until none is left; one may fork while it is looked for.
end_processes() {
    local tries pids
    for ((tries = 0; tries < 100; tries++)); do
        pids=$(bed_processes)
        [[ -n $pids ]] || return 0
        xargs kill -KILL <<<"$pids" 2>/dev/null || true
        sleep 0.1
    done
    fail "processes do not end: ${pids//$'\n'/ }"
}

# Lines that say what is there; nothing if nothing is.
leftovers() {
    bed_processes | sed 's/^/process /'
    find /run/netns -name "$prefix*" -printf 'namespace %f\n' 2>/dev/null || true
    ip -oneline link show | awk -F ': ' -v prefix="$prefix" 'index($2, prefix) == 1 { sub(/@.*/, "", $2); print "link", $2 }'
    awk -v bed="$bed/" 'index($2, bed) == 1 { print "mount", $2 }' /proc/mounts
    losetup --list --noheadings --raw --output NAME,BACK-FILE | awk -v bed="$bed/" 'index($2, bed) == 1 { print "loop", $1 }'
    find "$groups"/*/"$prefix" -depth -type d -printf 'group %p\n' 2>/dev/null || true
    if [[ -e $bed ]]; then
        echo "directory $bed"
    fi
}

# Removes what node control has left of a NodeManager that was killed: its groups are not below those of the test bed. One with processes stays.
remove_controlled() {
    find "$groups" -depth -path '*/interference/control_*' -type d -exec rmdir {} + 2>/dev/null || true
}

# Removes whatever of a test bed is there, in an order that works for a part of one too.
sweep() {
    local kind name
    end_processes
    remove_controlled
    while read -r kind name; do
        case $kind in
            mount) umount "$name" || umount --lazy "$name" ;;
            loop) losetup --detach "$name" ;;
            namespace) ip netns delete "$name" ;;
            # The end in the namespace may have taken it along.
            link) ip link delete "$name" 2>/dev/null || true ;;
            # Two controllers may have one folder, by two names.
            group) rmdir "$name" 2>/dev/null || [[ ! -e $name ]] ;;
            directory) rm -rf --one-file-system "$bed" ;;
        esac
    done < <(leftovers)
}

# --- hosts -------------------------------------------------------------------------------------------------------------------

make_network() {
    ip link add "$prefix" type bridge || fail "the kernel cannot make a bridge (CONFIG_BRIDGE)"
    ip address add "$resource_manager/24" dev "$prefix"
    ip link set "$prefix" up
}

# disk_below FILE: major and minor number of the whole disk that it is on.
disk_below() {
    local device
    device=$(findmnt --noheadings --output MAJ:MIN --target "$1" | tr -d ' ')
    [[ -e /sys/dev/block/$device ]] || fail "$1 is not on a disk that can be throttled"
    if [[ -e /sys/dev/block/$device/partition ]]; then
        device=$(<"/sys/dev/block/$device/../dev")
    fi
    echo "$device"
}

# make_host NUMBER: a namespace behind a shaped NIC, a throttled disk, and the groups of its containers.
make_host() {
    local name=host$1 space=$prefix$1 loop device
    mkdir -p "$bed/$name/disk" "$bed/$name/logs" "$bed/$name/bin"
    ln -s "$repo/lab/testbed/bin/bash" "$bed/$name/bin/bash"

    ip netns add "$space" || fail "the kernel cannot make a network namespace (CONFIG_NET_NS)"
    ip link add "$space" type veth peer name eth0 netns "$space" || fail "the kernel cannot make a veth pair (CONFIG_VETH)"
    ip link set "$space" master "$prefix" up
    ip -n "$space" link set lo up
    ip -n "$space" address add "$network.$((10 + $1))/24" dev eth0
    ip -n "$space" link set eth0 up
    # Shaped where it leaves a link: what the host sends and what it is sent.
    ip netns exec "$space" tc qdisc add dev eth0 root tbf rate "$host_nic" burst 256kb latency 20ms ||
        fail "the kernel cannot shape a link by a token bucket (CONFIG_NET_SCH_TBF)"
    tc qdisc add dev "$space" root tbf rate "$host_nic" burst 256kb latency 20ms

    fallocate --length "${image_mb}M" "$bed/$name/image"
    mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$bed/$name/image"
    loop=$(losetup --find --show --direct-io=on "$bed/$name/image") || fail "no loop device is free, or $bed has no direct I/O"
    mount "$loop" "$bed/$name/disk"
    head --bytes="${data_mb}M" /dev/urandom >"$bed/$name/disk/data"
    mkdir "$bed/$name/disk/local"
    sync --file-system "$bed/$name/disk"

    mkdir -p "$groups"/{cpu,cpuacct,cpuset,blkio,memory,unified}/"$prefix/$name"
    # What its slots have together. Who wants more is killed by the kernel, as on a host without swap.
    echo $((host_slots * slot_mb))M >"$groups/memory/$prefix/$name/memory.limit_in_bytes"
    # A short period: a host that is out of CPU time is so for milliseconds, and its disk and NIC stay fed.
    echo 10000 >"$groups/cpu/$prefix/$name/cpu.cfs_period_us"
    echo $((host_cores_percent * 100)) >"$groups/cpu/$prefix/$name/cpu.cfs_quota_us"
    cat "$groups/cpuset/cpuset.mems" >"$groups/cpuset/$prefix/cpuset.mems"
    cat "$groups/cpuset/cpuset.cpus" >"$groups/cpuset/$prefix/cpuset.cpus"
    cat "$groups/cpuset/cpuset.mems" >"$groups/cpuset/$prefix/$name/cpuset.mems"
    echo $((($1 - 1) % $(nproc))) >"$groups/cpuset/$prefix/$name/cpuset.cpus"
    # Below the loop device, not at it: a request is then with the host's disk for as long as a slow disk would have it. The kernel
    # counts what a loop device asks of its image as the asker's.
    device=$(disk_below "$bed")
    for way in read write; do
        echo "$device $host_disk_bytes" >"$groups/blkio/$prefix/$name/blkio.throttle.${way}_bps_device"
        echo "$device $host_disk_requests" >"$groups/blkio/$prefix/$name/blkio.throttle.${way}_iops_device"
    done
}

# make_hosts COUNT
make_hosts() {
    local number
    mkdir -p "$bed/tmp" "$groups/cpu/$prefix/control"
    chmod 700 "$bed"
    # Daemons come before the hosts' work, as if they had machines of their own.
    echo 8192 >"$groups/cpu/$prefix/control/cpu.shares"
    make_network
    {
        echo "127.0.0.1 localhost"
        echo "$resource_manager resourcemanager $(hostname)"
        for ((number = 1; number <= $1; number++)); do
            echo "$network.$((10 + number)) host$number"
        done
    } >"$bed/hosts"
    for ((number = 1; number <= $1; number++)); do
        make_host "$number"
    done
    echo "$1" >"$bed/count"
}

# --- daemons -----------------------------------------------------------------------------------------------------------------

# in_control COMMAND ...: becomes a process of the test bed that has no limits, and holds no lock of the script.
in_control() {
    echo "$BASHPID" >"$groups/cpu/$prefix/control/cgroup.procs"
    exec 9>&-
    exec setsid "$@"
}

# java_command NAME MEMORY CLASSPATH ...: sets `command` to a Java process that knows the hosts' names.
java_command() {
    command=("$JAVA_HOME/bin/java" "-Xmx$2" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData
        -Djava.net.preferIPv4Stack=true -Djdk.net.hosts.file="$bed/hosts"
        -Dtestbed.host="$1" -Dtestbed.conf="$repo/lab/testbed/conf" -Dtestbed.memory=$((host_slots * slot_mb))
        -Dtestbed.constraints="$constraints" -Dtestbed.capacity="$capacity" -Dtestbed.control="$control" -Dtestbed.rule="$rule" -Dtestbed.socket="$socket" -Dtestbed.store="$store" -Dtestbed.hadoop="${hadoop//:/,}" -cp "$3")
}

# Finds the class paths: Hadoop's jars, and the two plugins' as README.md installs them.
find_jars() {
    local entry
    hadoop=
    while IFS= read -r -d : entry || [[ -n $entry ]]; do
        case $entry in
            */target/* | *-tests.jar) ;;
            *) hadoop+=${hadoop:+:}$entry ;;
        esac
    done < <(tr -d '\n' <"$repo/lab/testbed/target/classpath.txt")
    scheduler_jar=$(jar_of yarn-interference-scheduler)
    node_jar=$(jar_of nodemanager-aux)
    [[ -f $scheduler_jar && -f $node_jar ]] || fail "the plugins are not built: $scheduler_jar, $node_jar"
}

# start_daemons SCHEDULER STORE COUNT: and waits until every host has registered. The shell forgets them, so that it does not tell how
# each of them ended.
start_daemons() {
    local scheduler=$1 class plugin="" number tries
    store=$2
    constraints=disabled
    capacity=off
    if [[ $scheduler == ours-elastic ]]; then
        scheduler=ours-fair capacity=on
    fi
    if [[ $scheduler == *capacity ]]; then
        constraints=scheduler
    fi
    case $scheduler in
        fair) class=org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler ;;
        capacity) class=org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler ;;
        ours-fair) class=org.interference.yarn.InterferenceAwareFairScheduler plugin=:$scheduler_jar ;;
        ours-capacity) class=org.interference.yarn.InterferenceAwareScheduler plugin=:$scheduler_jar ;;
        *) fail "--scheduler is '$scheduler' but must be fair, capacity, ours-fair or ours-capacity" ;;
    esac
    local -a command
    mkdir -p "$home/logs"
    start_collector
    java_command resourcemanager 384m "$repo/lab/testbed/conf:$hadoop$plugin"
    command+=(-Dtestbed.scheduler="$class" org.apache.hadoop.yarn.server.resourcemanager.ResourceManager)
    in_control "${command[@]}" </dev/null >"$home/logs/resourcemanager.log" 2>&1 &
    resource_manager_pid=$!
    disown
    for ((number = 1; number <= $3; number++)); do
        # The last run's localised files and recovery state would be another start than the first one's.
        rm -rf "$bed/host$number/disk/local" "$bed/host$number/logs"
        mkdir "$bed/host$number/disk/local" "$bed/host$number/logs"
        : >"$home/logs/host$number.log"
        start_node "$number"
    done
    for ((tries = 0; tries < 240; tries++)); do
        if (($(registered_hosts) == $3)); then
            return 0
        fi
        sleep 0.5
    done
    fail "$(registered_hosts) of $3 NodeManagers registered within two minutes; see $home/logs"
}

# start_node NUMBER: its process is in `node_pids`. It finds the pressure of its host in place of the machine's.
start_node() {
    local path=$bed/host$1/bin:$PATH
    local -a command on_host=(nsenter --net="/run/netns/$prefix$1")
    if $unlimited; then
        path=$PATH
    else
        # shellcheck disable=SC2016
        on_host+=(unshare --mount --propagation slave sh -ec 'for of in cpu io memory; do mount --bind "$0/$of.pressure" "/proc/pressure/$of"; done; exec "$@"'
            "$groups/unified/$prefix/host$1")
    fi
    java_command "host$1" 256m "$repo/lab/testbed/conf:$hadoop:$node_jar"
    PATH=$path in_control "${on_host[@]}" "${command[@]}" \
        org.apache.hadoop.yarn.server.nodemanager.NodeManager </dev/null >>"$home/logs/host$1.log" 2>&1 &
    node_pids[$1]=$!
    disown
}

# Where YARN services find each other.
start_zookeeper() {
    local -a command
    mkdir -p "$bed/zookeeper" "$home/logs"
    java_command zookeeper 128m "$repo/lab/testbed/conf:$hadoop"
    command+=(-Dzookeeper.admin.enableServer=false org.apache.zookeeper.server.ZooKeeperServerMain 2181 "$bed/zookeeper")
    in_control "${command[@]}" </dev/null >"$home/logs/zookeeper.log" 2>&1 &
    disown
}

# await_empty_hosts COUNT: until no container's process is left on any.
await_empty_hosts() {
    local tries number
    for ((tries = 0; tries < 300; tries++)); do
        for ((number = 1; number <= $1; number++)); do
            if [[ -n $(<"$groups/cpu/$prefix/host$number/cgroup.procs") ]]; then
                sleep 0.1
                continue 2
            fi
        done
        return 0
    done
    fail "containers do not end"
}

# One daemon counts for all hosts; without it the NodeManagers tell CPU time and memory alone.
start_collector() {
    local tries
    local -a options=(--nic-speed "${host_nic%mbit}M" --cpus "0.$host_cores_percent")
    if $unlimited; then
        options=(--futex)
    fi
    socket=none
    rm -f "$bed/intpd.sock"
    if [[ ! -x $repo/intp-collector/build/intpd ]]; then
        echo "The collector is not built; only CPU time and memory are measured."
        return
    fi
    in_control "$repo/intp-collector/build/intpd" serve --socket "$bed/intpd.sock" "${options[@]}" </dev/null >"$home/logs/intpd.log" 2>&1 &
    disown
    for ((tries = 0; tries < 100; tries++)); do
        if [[ -S $bed/intpd.sock ]]; then
            socket=$bed/intpd.sock
            return
        fi
        sleep 0.05
    done
    echo "The collector did not start ($home/logs/intpd.log); only CPU time and memory are measured."
}

registered_hosts() {
    curl --noproxy '*' --silent --max-time 5 "http://$resource_manager:8088/ws/v1/cluster/metrics" 2>/dev/null |
        sed -n 's/.*"activeNodes":\([0-9]*\).*/\1/p' | grep . || echo 0
}

# stop_daemons: the ResourceManager first, which keeps its profiles when it is asked to end.
stop_daemons() {
    local tries
    if [[ -n $resource_manager_pid ]]; then
        kill -TERM "$resource_manager_pid" 2>/dev/null || true
        for ((tries = 0; tries < 100; tries++)); do
            kill -0 "$resource_manager_pid" 2>/dev/null || break
            sleep 0.1
        done
        resource_manager_pid=
    fi
    end_processes
}
