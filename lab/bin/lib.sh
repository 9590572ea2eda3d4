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

# java_of FOLDER CLASS [ARGUMENT ...]: with the options in the array java_options.
java_of() {
    "$JAVA_HOME/bin/java" "${java_options[@]}" -cp "$(class_path "$1")" "org.interference.yarn.$2" "${@:3}"
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
