# shellcheck shell=bash
# Set-up shared by the programs in bin/; sourced, not run.

# require_packages PACKAGE...: installs what is missing of these Debian packages, or, without the right to, names it.
require_packages() {
    local package
    local -a missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "This is not a Debian system; make sure that these packages' programs are there: $*" >&2
        return 0
    fi
    for package in "$@"; do
        if [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
            missing+=("$package")
        fi
    done
    if ((${#missing[@]} == 0)); then
        return 0
    fi
    if ((EUID != 0)); then
        echo "Missing Debian packages: ${missing[*]}" >&2
        echo "Install them and try again: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    echo "Installing missing Debian packages: ${missing[*]}"
    if ! apt-get update -qq || ! DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null </dev/null; then
        echo "apt-get could not install ${missing[*]}; its messages are above" >&2
        exit 1
    fi
}

# require_build: what a build takes, Debian's unless there is another: a Java 17 that JAVA_HOME names, a Maven.
require_build() {
    local -a packages=()
    [[ -n ${JAVA_HOME:-} ]] || packages+=(openjdk-17-jdk-headless)
    command -v mvn >/dev/null || packages+=(maven)
    require_packages "${packages[@]}"
}

# build_once: runs the caller's `build` unless its `is_built` says that there is nothing to do; of several at once the first one builds.
build_once() {
    if ! is_built; then
        exec 8<"$repo/pom.xml"
        flock 8
        is_built || build >&2
        exec 8<&-
    fi
}

# in_turn NAME COMMAND ...: one at a time of all users, who may only read each other's files in a folder that is everybody's.
in_turn() {
    local lock=${TMPDIR:-/tmp}/interference-$1.lock
    [[ -e $lock ]] || : >"$lock"
    (
        exec 8<"$lock"
        flock 8
        "${@:2}"
    )
}

# use_java_17: makes Debian's Java 17 the one that Maven and the containers run on, unless JAVA_HOME names one already.
use_java_17() {
    if [[ -z ${JAVA_HOME:-} ]]; then
        command -v dpkg >/dev/null || { echo "JAVA_HOME must name a Java 17" >&2 && exit 1; }
        JAVA_HOME=/usr/lib/jvm/java-17-openjdk-$(dpkg --print-architecture)
    fi
    if ! "$JAVA_HOME/bin/java" -version 2>&1 | grep -q 'version "17[."]'; then
        echo "JAVA_HOME is '$JAVA_HOME' but must name a Java 17 (default: Debian's openjdk-17)" >&2
        exit 1
    fi
    export JAVA_HOME
}

# jar_of MODULE [CHECKOUT]: what Maven makes of it, by the version in pom.xml: those of earlier versions may lie beside it.
jar_of() {
    local checkout=${2:-$repo}
    echo "$checkout/$1/target/$1-$(sed -n 's|^  <version>\(.*\)</version>|\1|p' "$checkout/pom.xml").jar"
}

# What figures are said to be of.
describe_machine() {
    echo "$(nproc) CPUs, $(uname -sr | sed 's/-[^ ]*//'), Java 17"
}

# say_commit FILE...: adds to files of measurements, after the date, the commit that was measured; nothing where there is no git.
say_commit() {
    if [[ -n ${MEASURED_COMMIT:-} ]]; then
        sed -i -e '/^  "commit" *:/d' -e 's/^  "date"\( *: *\)"[^"]*",$/&\n  "commit"\1"'"$MEASURED_COMMIT"'",/' "$@"
    fi
}

# find_commit: names what is measured from here on, for say_commit and for the programs that it starts.
find_commit() {
    local -a git=(git -c "safe.directory=$repo" -C "$repo")
    if MEASURED_COMMIT=$("${git[@]}" rev-parse --short HEAD 2>/dev/null); then
        [[ -z $("${git[@]}" status --porcelain -- . ':!docs') ]] || MEASURED_COMMIT+=" and changes"
        export MEASURED_COMMIT
    fi
}

# What the collector is built with; its tests need the second list as well.
# shellcheck disable=SC2034 # The programs that source this file read them.
collector_packages=(gcc libc6-dev make clang llvm bpftool libbpf-dev libelf-dev zlib1g-dev libjansson-dev)
# shellcheck disable=SC2034
collector_test_packages=(clang-format libclang-rt-14-dev iproute2)
