# shellcheck shell=bash
# Building the collector for another architecture. Needs $repo, and gcc-aarch64-linux-gnu and libc6-dev-arm64-cross for arm64.

# apt_apart FOLDER ARCHITECTURE PROGRAM ...: of apt, for packages of that architecture: all that it keeps is in the folder, and this machine stays as it is.
apt_apart() {
    mkdir -p "$1"/{state/lists/partial,cache/archives/partial}
    touch "$1/status"
    "$3" -qq -o "APT::Architecture=$2" -o "APT::Architectures=$2" -o "Dir::State=$1/state" -o "Dir::State::status=$1/status" -o "Dir::Cache=$1/cache" \
        -o APT::Sandbox::User=root "${@:4}"
}

# The collector's libraries for another architecture, unpacked into a folder of their own.
fetch_sysroot() {
    local folder=$repo/target/sysroot-$1 package
    if [[ ! -d $folder/root ]]; then
        mkdir -p "$folder/new"
        apt_apart "$folder" "$1" apt-get update
        (cd "$folder" && apt_apart "$folder" "$1" apt-get download libbpf-dev libelf-dev zlib1g-dev libjansson-dev)
        for package in "$folder"/*.deb; do
            dpkg-deb --extract "$package" "$folder/new"
        done
        mv "$folder/new" "$folder/root"
    fi
}

# if_foreign ARCHITECTURE WORD: the word where it is not this machine's.
if_foreign() {
    [[ $1 == "$(dpkg --print-architecture)" ]] || echo "$2"
}

# make_collector ARCHITECTURE TARGET ...: of the sources in the current directory, into intp-collector/build-ARCHITECTURE. Programs are linked statically.
make_collector() {
    local -a arguments=("CFLAGS=-O2 -static")
    local root=$repo/target/sysroot-$1/root
    if [[ -n $(if_foreign "$1" foreign) ]]; then
        fetch_sysroot "$1"
        arguments=(CC=aarch64-linux-gnu-gcc "CFLAGS=-O2 -static -idirafter $root/usr/include -L$root/usr/lib/aarch64-linux-gnu")
    fi
    make -C intp-collector --no-print-directory -s -j "$(nproc)" "BUILD=build-$1" "${arguments[@]}" "${@:2}"
}
