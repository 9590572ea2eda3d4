# shellcheck shell=bash
# Runs what was built for the newest Hadoop with an older one, in target/lines/VERSION; sourced, not run. $repo is this checkout.

# What the jars are compiled with.
newest=3.5.0

# require_line VERSION: ends with a sentence where pom.xml has no profile for it.
require_line() {
    [[ $1 =~ ^3\.[34]\.[0-9]+$ ]] || { echo "There is no profile for Hadoop $1 in pom.xml: 3.3.x and 3.4.x have one" >&2 && exit 2; }
}

# copy_for_line VERSION: the sources, and the main classes as they are.
copy_for_line() {
    local tree=$repo/target/lines/$1
    rm -rf "$tree"
    mkdir -p "$tree"
    (
        cd "$repo"
        find . \( -name target -o -name .git -o -path './intp-collector/build*' \) -prune -o -type f -print0 | xargs -0 cp --parents -t "$tree"
        find . -path ./target -prune -o -path '*/target/classes' -prune -print0 | xargs -0 cp -r --parents -t "$tree"
    )
}

# maven_of_line VERSION ARGUMENT ...: Maven in that copy; nothing of ours is compiled anew but tests.
maven_of_line() {
    (cd "$repo/target/lines/$1" && mvn -B -ntp "-Phadoop-${1%.*},plain-javac" "-Dhadoop.version=$1" -Dskip.checks=true "${@:2}")
}

# put_in_lines [VERSION]: the figures on standard input into docs/measurements/lines.json; of that version where one is given. With lab/bin/lib.sh.
put_in_lines() {
    local -a java_options=()
    java_of lab/benchmarks benchmarks.PutFigures "$repo/docs/measurements/lines.json" lines "bin/test-lines, bin/lab parents-tests, bin/release --twice, bin/test-packages, bin/test-upgrade" "$@"
}
