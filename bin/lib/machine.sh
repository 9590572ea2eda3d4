# shellcheck shell=bash
# A machine that is this one until something is written to it: for tests of what is installed, in mount and network namespaces of their own. Sourced,
# not run, in the namespaces, by a program that has set scratch to an empty directory.

# Ends what lives in our mount namespace, which nothing else does. Until nothing is found: a ResourceManager that is still there when its ApplicationMaster
# is killed has another one started.
clean_up() {
    local ours process pass found
    ours=$(readlink /proc/self/ns/mnt)
    cd /
    for ((pass = 0; pass < 100; pass++)); do
        found=false
        for process in /proc/[0-9]*; do
            if [[ ${process#/proc/} != "$$" && $(readlink "$process/ns/mnt" 2>/dev/null) == "$ours" ]]; then
                kill -KILL "${process#/proc/}" 2>/dev/null && found=true
            fi
        done
        $found || break
        sleep 0.1
    done
    umount --lazy "$scratch" 2>/dev/null || true
    rmdir "$scratch" 2>/dev/null || true
}

failed() {
    echo "FAILED: $*" >&2
    tail --lines=20 "$scratch"/logs/* >&2 || true
    exit 1
}

passed() {
    echo "ok: $*"
}

# await PATIENCE_SECONDS WHAT COMMAND ...: until the command succeeds.
await() {
    local what=$2 end=$((SECONDS + $1))
    shift 2
    until "$@"; do
        ((SECONDS < end)) || failed "$what"
        sleep 0.2
    done
    passed "$what"
}

# make_machine DIRECTORY ...: what is written to these is gone in the end; with a loopback, and Hadoop's users.
make_machine() {
    local directory
    mount -t tmpfs -o mode=0755 tmpfs "$scratch"
    for directory in "$@"; do
        mkdir -p "$scratch/written$directory" "$scratch/work$directory"
        mount -t overlay overlay -o "lowerdir=$directory,upperdir=$scratch/written$directory,workdir=$scratch/work$directory" "$directory"
    done
    mount -t tmpfs -o mode=0755 tmpfs /run
    mkdir -p "$scratch/logs" "$scratch/home"
    ip link set lo up
    getent group hadoop >/dev/null || groupadd --system hadoop
    id yarn >/dev/null 2>&1 || useradd --system --gid hadoop --no-create-home yarn
}

# start_unit UNIT [DROP-IN ...]: as systemd would, which is not in charge here; its process is $collector.
start_unit() {
    local log
    log=$scratch/logs/$(basename "${*: -1}")
    "$repo/bin/lib/run-unit" "$@" </dev/null >"$log" 2>&1 &
    collector=$!
    disown
}

property() {
    echo "<property><name>$1</name><value>$2</value></property>"
}

rest() {
    curl --noproxy '*' --silent --max-time 10 "http://localhost:8088/ws/v1/$1"
}

one_node_runs() {
    [[ $(rest cluster/metrics) == *'"activeNodes":1,'* ]]
}
