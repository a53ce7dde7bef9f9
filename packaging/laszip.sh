# shellcheck shell=bash disable=SC2016,SC2154  # apt expands formats itself; common.sh sets project and log
# Provides LASzip, which compresses and decompresses LAZ. Sourced by common.sh.
#
# Debian 12 has no package of LASzip, but the package of Debian 13 also runs there. It is fetched from the archive that the
# machine's apt sources name, with separate apt lists and state below build/laszip, and unpacked there. The machine's own
# sources, lists and packages are not changed.

laszip_folder=$project/build/laszip

# Prints the URL of the archive from which this machine installs Debian 12.
debian_archive() {
    apt-get indextargets --no-release-info --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "bookworm" && $2 == "main" && $3 ~ /debian/ && !found {print $3; found = 1}'
}

fetch_laszip() {
    local archive package options state=$laszip_folder/apt keys=/usr/share/keyrings/debian-archive-keyring.gpg
    archive=$(debian_archive)
    [[ -n $archive ]] || return 1
    rm -rf "$laszip_folder" && mkdir -p "$state"/{lists,cache/archives}/partial "$state/debs" || return 1
    printf 'deb [signed-by=%s] %s trixie main\n' "$keys" "$archive" >"$state/sources.list"
    : >"$state/status"
    options=(-o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State=$state" -o "Dir::State::status=$state/status" -o "Dir::State::lists=$state/lists"
        -o "Dir::Cache=$state/cache" -o APT::Sandbox::User= -o Acquire::Languages=none)
    apt-get "${options[@]}" update &&
        (cd "$state/debs" && apt-get "${options[@]}" download liblaszip-dev liblaszip8 liblaszip-api8) || return 1
    for package in "$state"/debs/*.deb; do dpkg-deb -x "$package" "$laszip_folder" || return 1; done
    rm -rf "$state"
}

# ensure_laszip: installs or fetches LASzip. The build continues without it: LAS opens, and LAZ reports that LASzip is missing.
ensure_laszip() {
    local version=
    if [[ -e /usr/include/laszip/laszip_api.h || -e $laszip_folder/usr/include/laszip/laszip_api.h ]]; then return; fi
    if ! command -v dpkg-deb >/dev/null || ! command -v apt-get >/dev/null; then
        say "== No LASzip and no apt here: without it this build opens LAS, but not LAZ"
        return
    fi
    # shellcheck source=/dev/null
    version=$(. /etc/os-release && echo "${ID:-}${VERSION_ID:-}")
    if [[ $version != debian12 ]]; then
        ensure_packages liblaszip-dev
        return
    fi
    say "== Fetching LASzip for LAZ files from Debian 13 into build/laszip"
    printf '\n== Fetching LASzip\n' >>"$log"
    if ! fetch_laszip >>"$log" 2>&1 </dev/null; then
        rm -rf "$laszip_folder"
        say "   that failed, as $log tells: this build opens LAS, but not LAZ. Run this again to try once more."
    fi
}
