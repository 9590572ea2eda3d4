# shellcheck shell=bash
# Distributions' kernels as guests of QEMU without acceleration, above this machine's files. Sourced, not run; needs $repo, $folder to work in, and $architecture.
# Who sources it says what else a system of another architecture than amd64 needs (system_of_ and root_of_), which modules are loaded (modules), and on amd64 what is
# mounted below /host besides (further_mounts).

# shellcheck source=bin/lib/cross.sh
source "$repo/bin/lib/cross.sh"
guest_packages=(qemu-system-x86 busybox-static cpio kmod e2fsprogs util-linux)
further_mounts=

# in_suite PROGRAM ...: of apt, with that suite's packages alone.
in_suite() {
    apt_apart "$folder" "$architecture" "$1" -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- "${@:2}"
}

# fetch_kernel SUITE: unpacks it into the folder.
fetch_kernel() {
    local package
    mkdir -p "$folder"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian ${1%-arm64} main" >"$folder/sources.list"
    in_suite apt-get -o Acquire::Languages=none update
    package=$(in_suite apt-cache depends "linux-image-$architecture" | sed -n 's/.*Depends: //p' | head -n 1)
    (cd "$folder" && in_suite apt-get download "$package")
    dpkg-deb --extract "$folder"/*.deb "$folder/kernel"
    release=$(ls "$folder/kernel/lib/modules")
    depmod --basedir "$folder/kernel" "$release"
}

# What runs first in the machine: this one's files, read-only, with what a system has mounted.
make_init() {
    local tree=$folder/init number=10 module file
    mkdir -p "$tree"/{bin,modules,proc,sys,dev,host}
    "system_of_$architecture" "$tree"
    for module in "${modules[@]}"; do
        # A module's own line names what it needs, the last to be loaded first.
        for file in $(sed -n "s#^\([^:]*/$module\.ko[^:]*\): *\(.*\)#\2 \1#p" "$folder/kernel/lib/modules/$release/modules.dep" | tr ' ' '\n' |
            awk 'NF { line[++n] = $0 } END { for (i = n - 1; i >= 1; i--) print line[i]; if (n) print line[n] }'); do
            [[ -n $(find "$tree/modules" -name "*-$(basename "$file" | sed 's/\.xz$//')") ]] || {
                cp "$folder/kernel/lib/modules/$release/$file" "$tree/modules/$number-$(basename "$file")"
                [[ $file != *.xz ]] || xz --decompress "$tree/modules/$number-$(basename "$file")"
                number=$((number + 1))
            }
        done
    done
    {
        cat <<INIT
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/sbin:/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in /modules/*; do insmod \$module; done
ip link set lo up
INIT
        "root_of_$architecture"
        echo 'poweroff -f'
    } >"$tree/init"
    chmod +x "$tree/init"
    (cd "$tree" && find . | cpio --quiet -o -H newc | gzip -1 >"$folder/initrd")
}

system_of_amd64() {
    cp "$(command -v busybox)" "$1/bin/busybox"
}

# The program classes/trial below this machine's files.
root_of_amd64() {
    cat <<INIT
mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144,cache=loose,access=any host /host || poweroff -f
for at in tmp run; do mount -t tmpfs tmpfs /host/\$at; done
mount -t proc proc /host/proc; mount -t sysfs sys /host/sys; mount --bind /dev /host/dev
mount -t cgroup2 cgroup2 /host/sys/fs/cgroup
$further_mounts
mkdir -p /host/tmp/classes; mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144,cache=loose classes /host/tmp/classes
chroot /host /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run bash /tmp/classes/trial
INIT
}

# Fills the array machine with the command that runs the guest: its console is standard output, and it sees $folder/classes.
make_machine() {
    machine=(qemu-system-x86_64 -append "console=ttyS0 quiet panic=-1"
        -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap
        -virtfs local,path="$folder/classes",mount_tag=classes,security_model=none,readonly=on)
    [[ $architecture == amd64 ]] || machine=(qemu-system-aarch64 -machine virt -append "console=ttyAMA0 quiet panic=-1")
    machine+=(-accel tcg,thread=multi -cpu max -smp 2 -m 2048 -nographic -no-reboot -nodefaults -serial stdio
        -kernel "$folder/kernel/boot/vmlinuz-$release" -initrd "$folder/initrd")
}
