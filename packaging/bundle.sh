#!/usr/bin/env bash
# Packs a portable bundle for x86-64 Linux with glibc 2.36 or newer, without further dependencies:
#   bash packaging/bundle.sh OUT.tar.xz [--with-tests[=PROGRAM,...]] [CMAKE OPTION...]
# The bundle contains bin/scanloupe, bin/scanloupe-cli and the libraries that they need. --with-tests adds bin/run-tests,
# scanloupe-bench and all test programs; --with-tests=tests_core,tests_views adds only the named programs. If the name is
# OUT.tar, the bundle is not compressed. The machine provides the GPU driver, and OpenGL if it is installed.
caller=$PWD
script="bundle"
# shellcheck source=packaging/common.sh
source "$(dirname "$0")/common.sh"

usage="Say: bash packaging/bundle.sh OUT.tar.xz [--with-tests[=PROGRAM,...]]"
out='' tests=OFF named='' cmake_options=()
for argument in "$@"; do
    case $argument in
    --with-tests) tests=ON ;;
    --with-tests=*) tests=ON named=,${argument#*=}, ;;
    -D*) cmake_options+=("$argument") ;;
    -*) fail "there is no option $argument" "$usage" ;;
    *)
        [[ -z $out ]] || fail "there are two files to write: $out and $argument" "$usage"
        out=$(cd "$caller" && realpath -m -- "$argument")
        ;;
    esac
done
[[ -n $out ]] || fail "where to?" "$usage"
mkdir -p "$(dirname "$out")" || fail "$(dirname "$out") can't be made" "Take a folder that is yours."

packages=("${PACKAGES_BUILD[@]}" fonts-dejavu-core xz-utils)
if [[ $tests == ON ]]; then packages+=("${PACKAGES_TEST[@]}"); fi
ensure_packages "${packages[@]}"
ensure_laszip
build_preset release "-DSCANLOUPE_TESTS=$tests" "-DSCANLOUPE_BENCH=$tests" "${cmake_options[@]}"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/scanloupe
mkdir -p "$root"/{bin,libexec,lib,fallback,plugins,share}
# ship FILE PLACE: copies a file of this machine to PLACE in the bundle, and lists it for licences.sh.
ship() {
    install -D -m 644 "$1" "$root/$2"
    printf '%s %s\n' "$2" "$1" >>"$stage/shipped"
}
build=build/release

strip -o "$root/libexec/scanloupe" "$build/bin/scanloupe"
strip -o "$root/libexec/scanloupe-cli" "$build/bin/scanloupe-cli"
programs=(scanloupe scanloupe-cli)
# A build without CUDA makes no such file, but an earlier build may have left one.
if is_cuda_built; then strip -o "$root/libexec/scanloupe-nvrtc" "$build/bin/scanloupe-nvrtc"; fi
if [[ $tests == ON ]]; then
    mkdir -p "$root/libexec/tests"
    # is_wanted PROGRAM: whether the bundle contains it.
    is_wanted() { [[ -z $named || $named == *",$1,"* ]]; }
    if is_wanted scanloupe-bench; then
        strip -o "$root/libexec/scanloupe-bench" "$build/bin/scanloupe-bench"
        programs+=(scanloupe-bench)
    fi
    : >"$root/libexec/tests/of-the-window"
    # Tests that read the source tree, or start a program of the build, are left out.
    for file in "$build"/tests/{kernels,engine,gui}/tests_*; do
        program=$(basename "$file")
        if [[ ! -f $file || ! -x $file || $program =~ ^tests_(tree|cli_program)$ ]] || ! is_wanted "$program"; then continue; fi
        strip -o "$root/libexec/tests/$program" "$file"
        if [[ $file == */gui/* ]]; then echo "$program" >>"$root/libexec/tests/of-the-window"; fi
    done
    cp tests/gui/with_display.sh "$root/libexec/tests/"
fi

plugins=$(sed -n 's/^scanloupe_qt_plugins:INTERNAL=//p' "$build/CMakeCache.txt")
[[ -d $plugins/platforms ]] || fail "Qt's plugins were not found at \"$plugins\"" "Install qt6-base-dev and run this again."
for plugin in platforms/libqxcb platforms/libqoffscreen xcbglintegrations/libqxcb-glx-integration \
    xcbglintegrations/libqxcb-egl-integration iconengines/libqsvgicon; do
    [[ -f $plugins/$plugin.so ]] || continue
    ship "$plugins/$plugin.so" "plugins/$plugin.so"
done
printf '[Paths]\nPrefix=..\nPlugins=plugins\n' >"$root/libexec/qt.conf"
if [[ $tests == ON ]]; then sed 's/^Prefix=.*/Prefix=..\/../' "$root/libexec/qt.conf" >"$root/libexec/tests/qt.conf"; fi

# Copies all libraries that the programs need, except the C library. Libraries of the graphics driver, and those that must
# be as new as the driver requires, are used from the bundle only if the machine lacks them.
of_the_system='/(libc|libm|libdl|libpthread|librt|libresolv|libutil|ld-linux[^/]*)\.so'
of_the_driver='/lib(stdc\+\+|gcc_s|GL|GLX|EGL|OpenGL|GLdispatch|X11|X11-xcb|xcb|Xau|Xdmcp|drm|expat|gbm|wayland-[a-z]+|z|fontconfig|freetype|bsd|md|ffi|xml2)\.so'
mapfile -t libraries < <(find "$root" -type f \( -name '*.so' -o -perm -u+x \) -print0 | xargs -0 ldd 2>/dev/null |
    awk '/=> \//{print $3}' | sort -u)
for library in "${libraries[@]}"; do
    if [[ $library =~ $of_the_system ]]; then continue; fi
    if [[ $library =~ $of_the_driver ]]; then folder=fallback; else folder=lib; fi
    ship "$library" "$folder/$(basename "$library")"
done

# The PROJ database of coordinate systems: the programs look for it next to themselves.
if [[ " ${libraries[*]} " == */libproj.so.* ]]; then
    database=/usr/share/proj/proj.db
    [[ -f $database ]] || fail "PROJ's $database is not there" "Install proj-data and run this again."
    ship "$database" share/proj/proj.db
fi

# Manual pages, completions and schemas.
mkdir -p "$root"/share/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d,scanloupe}
cp "$build"/docs/man/*.1 "$root/share/man/man1/"
cp "$build/docs/bash/scanloupe-cli" "$root/share/bash-completion/completions/"
cp "$build/docs/zsh/_scanloupe-cli" "$root/share/zsh/site-functions/"
cp "$build/docs/fish/scanloupe-cli.fish" "$root/share/fish/vendor_completions.d/"
cp -R resources/schemas "$root/share/scanloupe/"

# Fonts, for machines without any.
mkdir -p "$root/share/fonts"
for font in DejaVuSans DejaVuSans-Bold; do
    ship "/usr/share/fonts/truetype/dejavu/$font.ttf" "share/fonts/$font.ttf"
done

cat >"$root/libexec/environment" <<'SH'
# Sourced by the starters, with $here and $program set. Uses only those libraries of fallback/ that the machine lacks,
# because a driver may need newer ones than the bundle has.
mine=${TMPDIR:-/tmp}/scanloupe-$(id -u)/lib
wanted=
while :; do
    said=$(for file in "$program" "$here"/plugins/platforms/libqxcb.so; do
        LD_LIBRARY_PATH=$here/lib:$mine ldd "$file" 2>&1
    done)
    more=$(printf '%s\n' "$said" | awk '/=> not found/ {print $1} /version .GLIBCXX.* not found/ {print "libstdc++.so.6"; print "libgcc_s.so.1"}' | sort -u)
    found=
    for library in $more; do
        case " $wanted " in *" $library "*) continue ;; esac
        if [ -e "$here/fallback/$library" ]; then
            mkdir -p "$mine" && ln -sf "$here/fallback/$library" "$mine/$library"
            wanted="$wanted $library"
            found=yes
        fi
    done
    [ -n "$found" ] || break
done
if [ -d "$mine" ]; then export LD_LIBRARY_PATH="$mine${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
if [ -z "${FONTCONFIG_FILE:-}" ] && [ -z "$(find /usr/share/fonts /usr/local/share/fonts -name '*.[ot]tf' 2>/dev/null | head -n 1)" ]; then
    export FONTCONFIG_FILE="${TMPDIR:-/tmp}/scanloupe-fonts-$(id -u).conf"
    printf '<?xml version="1.0"?>\n<fontconfig><dir>%s/share/fonts</dir><cachedir>%s</cachedir></fontconfig>\n' \
        "$here" "${TMPDIR:-/tmp}/scanloupe-fonts-$(id -u)" >"$FONTCONFIG_FILE"
fi
SH
for program in "${programs[@]}"; do
    cat >"$root/bin/$program" <<SH
#!/bin/sh
here=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
program=\$here/libexec/$program
. "\$here/libexec/environment"
exec "\$program" "\$@"
SH
done
if [[ $tests == ON ]]; then
    cat >"$root/bin/run-tests" <<'SH'
#!/bin/sh
# Runs the named tests, or all that need no source tree. Tests read real scans from $SCANLOUPE_SCANS. The command in
# $SCANLOUPE_TEST_UNDER, such as "compute-sanitizer --error-exitcode 1", runs each test without a window.
here=$(dirname "$(dirname "$(readlink -f "$0")")")
program=$here/libexec/scanloupe
. "$here/libexec/environment"
folder=$here/libexec/tests
all=$(for tests in "$folder"/tests_*; do "$tests" | sed "s|$| $(basename "$tests")|"; done)
failed=0
[ $# -gt 0 ] || set -- $(printf '%s\n' "$all" | cut -d ' ' -f 1)
for test; do
    tests=$(printf '%s\n' "$all" | sed -n "s/^$test //p")
    if [ -z "$tests" ]; then
        echo "There is no test \"$test\"."
        failed=$((failed + 1))
        continue
    fi
    if grep -qxF "$tests" "$folder/of-the-window"; then
        sh "$folder/with_display.sh" "$folder/$tests" "$test" >"/tmp/$test.$$.log" 2>&1
    else
        $SCANLOUPE_TEST_UNDER "$folder/$tests" "$test" >"/tmp/$test.$$.log" 2>&1
    fi
    code=$?
    if [ $code -eq 77 ]; then
        printf '%-32s skipped: %s\n' "$test" "$(cat "/tmp/$test.$$.log")"
        continue
    fi
    printf '%-32s %s\n' "$test" "$(grep '^Totals' "/tmp/$test.$$.log" || echo "ended with $code")"
    if [ $code -ne 0 ]; then failed=$((failed + 1)); grep -A 3 '^FAIL' "/tmp/$test.$$.log"; fi
    rm -f "/tmp/$test.$$.log"
done
echo "$failed failed"
[ $failed -eq 0 ]
SH
fi
chmod +x "$root"/bin/*
step "Collecting licences" "See what it says above." \
    bash packaging/licences.sh "$root/share/licences" "$stage/shipped" "$(cuda_toolkit)"
cp LICENSE README.md "$root/share/"
cp packaging/linux/scanloupe.desktop packaging/linux/scanloupe.metainfo.xml resources/icons/scanloupe.svg "$root/share/"

packed=(-I 'xz -6 -T0')
if [[ $out == *.tar ]]; then packed=(); fi
step "Packing" "Free some disk space and run this again." \
    tar -C "$stage" --sort=name --owner=0 --group=0 --mtime="@$(git log -1 --format=%ct 2>/dev/null || date +%s)" \
    "${packed[@]}" -cf "$out" scanloupe
size=$(stat -c %s "$out")
say "== $out: $((size / 1000000)) MB"
