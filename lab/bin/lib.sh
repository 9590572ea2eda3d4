# shellcheck shell=bash
# Set-up shared by the programs in lab/bin; sourced, not run.

repo=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
# shellcheck source=bin/lib/setup.sh
source "$repo/bin/lib/setup.sh"
find_commit

# build MODULE [MAVEN ARGUMENT ...]: and what it is built on. What it says goes to standard error, as some programs print JSON.
build() {
    require_packages openjdk-17-jdk-headless maven >&2
    use_java_17
    echo "Building ${1#:} ..." >&2
    (cd "$repo" && mvn -B -ntp -q -pl "$1" -am -DskipTests -Dskip.checks=true "${@:2}" package) >&2
}

# class_path FOLDER: of a module that is built.
class_path() {
    echo "$repo/$1/target/classes:$(<"$repo/$1/target/classpath.txt")"
}

# java_of FOLDER CLASS [ARGUMENT ...]: with the options in the array java_options; in place of this shell where `in_place` is exec.
java_of() {
    ${in_place:-} "$JAVA_HOME/bin/java" "${java_options[@]}" -cp "$(class_path "$1")" "org.interference.yarn.$2" "${@:3}"
}

# work_on FOLDER [OF]: a folder where finished runs stay, so that an interrupted measurement goes on; refuses what another commit left there, or OF something else.
work_on() {
    local of="${MEASURED_COMMIT:-no commit that is known}${2:+, $2}"
    mkdir -p "$1"
    if [[ -f $1/commit && $(<"$1/commit") != "$of" ]]; then
        echo "bin/lab ${0##*/}: what is in $1 is of $(<"$1/commit"), not of $of; go on as it was begun, or --fresh" >&2
        exit 1
    fi
    echo "$of" >"$1/commit"
}

# in_halves COMMAND FOLDER [ARGUMENT ...]: COMMAND run HALF 2 ARGUMENT ... FOLDER/runs-HALF.tsv, both at once; neither outlives this program.
in_halves() {
    local half
    halves=()
    trap 'kill "${halves[@]}" 2>/dev/null || true' EXIT
    for half in 0 1; do
        (in_place=exec && "$1" run "$half" 2 "${@:3}" "$2/runs-$half.tsv") &
        halves+=($!)
    done
    wait "${halves[0]}"
    wait "${halves[1]}"
    trap - EXIT
}

# begin NAME: an empty folder to work in, in `work`, and the current one.
begin() {
    work=$repo/target/lab/$1
    rm -rf "$work"
    mkdir -p "$work"
    cd "$work"
}

# publish FRESH OUTPUT: what was measured, now that all of it was.
publish() {
    mkdir -p "$(dirname "$2")"
    say_commit "$1"
    cp "$1" "$2"
    echo "Wrote $2"
}
