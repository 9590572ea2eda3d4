#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bootstrap action for Amazon EMR 7: puts the jars and the collector on a node, before EMR installs Hadoop; configurations.json makes YARN use them.
# Usage: bootstrap.sh RELEASE, where the files of the release are: s3://BUCKET/PATH, https://..., or a directory.
set -euo pipefail

version=@VERSION@
(($# == 1)) || { sed -n 4p "${BASH_SOURCE[0]}" >&2 && exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fetch FILE: of the release, into the scratch directory.
fetch() {
    case $release in
        s3://*) aws s3 cp --only-show-errors "$release/$1" "$scratch/$1" ;;
        https://*) curl --fail --silent --show-error --location --output "$scratch/$1" "$release/$1" ;;
        *) cp "$release/$1" "$scratch/$1" ;;
    esac
}

# as_root COMMAND ...: bootstrap actions run as the user hadoop.
as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

release=${1%/}
fetch SHA256SUMS
files=("yarn-interference-$version.tar.gz" "intpd-$version-1.$(uname -m).rpm")
for file in "${files[@]}"; do
    fetch "$file"
    (cd "$scratch" && grep -F "  $file" SHA256SUMS | sha256sum --check --quiet)
done
as_root mkdir -p /usr/lib/yarn-interference
as_root tar --extract --gzip --file "$scratch/${files[0]}" --directory /usr/lib/yarn-interference --strip-components=1 --no-same-owner
as_root rpm --upgrade --replacepkgs "$scratch/${files[1]}"
# The user yarn comes with Hadoop, later.
as_root tee /usr/lib/yarn-interference/when-yarn-is-there >/dev/null <<'SCRIPT'
#!/bin/bash
until id yarn >/dev/null 2>&1; do sleep 5; done
install -d -m 0750 -o yarn -g "$(id -gn yarn)" /var/lib/hadoop-yarn/interference
systemctl enable --now intpd
SCRIPT
as_root chmod 0755 /usr/lib/yarn-interference/when-yarn-is-there
as_root setsid --fork /usr/lib/yarn-interference/when-yarn-is-there </dev/null >/dev/null 2>&1
