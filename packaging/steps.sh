# shellcheck shell=bash
# Runs commands as steps, and prints the wall time and CPU time of each. Sourced by .ci/run and check.sh.

step_results=() # NAME|TIME|CPU SECONDS|RESULT of each step that was run

# minutes SECONDS: prints them as minutes and seconds.
minutes() {
    if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# Prints the CPU seconds of all commands that this script has waited for, and of their children.
children_cpu() {
    local fields
    read -ra fields <"/proc/$$/stat"
    echo $(((fields[15] + fields[16]) / $(getconf CLK_TCK)))
}

# timed NAME COMMAND...: runs the command, and returns its status.
timed() {
    local name=$1 started=$SECONDS status=0 result=passed before cpu
    shift
    before=$(children_cpu)
    printf '\n==== %s\n' "$name"
    "$@" || status=$?
    if ((status != 0)); then result="failed ($status)"; fi
    cpu=$(($(children_cpu) - before))
    step_results+=("$name|$(minutes $((SECONDS - started)))|$cpu|$result")
    printf '==== %s: %s in %s\n' "$name" "$result" "$(minutes $((SECONDS - started)))"
    return "$status"
}

# Prints a table of the steps that were run, and the time since the script began.
print_steps() {
    local row name time cpu result
    printf '\n%-12s %14s %8s  %s\n' step time "CPU s" result
    for row in "${step_results[@]}"; do
        IFS='|' read -r name time cpu result <<<"$row"
        printf '%-12s %14s %8s  %s\n' "$name" "$time" "$cpu" "$result"
    done
    printf '%-12s %14s %8s\n' all "$(minutes "$SECONDS")" "$(children_cpu)"
}

# Prints the CPU milliseconds of a fixed piece of work while all processors do it: the maximum of three runs.
calibrate() {
    local before fields i most=0 now
    for _ in 1 2 3; do
        read -ra fields <"/proc/$BASHPID/stat"
        before=$((fields[15] + fields[16]))
        for ((i = 0; i < $(nproc); ++i)); do bash -c 'for ((i = 0; i < 1500000; ++i)); do :; done' & done
        wait
        read -ra fields <"/proc/$BASHPID/stat"
        now=$(((fields[15] + fields[16] - before) * 1000 / $(getconf CLK_TCK) / $(nproc)))
        if ((now > most)); then most=$now; fi
    done
    echo "$most"
}

# require_budget FILE: fails if the steps that were run took over 25 % more CPU seconds than FILE allows, corrected for the
# speed of the machine. FILE has lines "NAME NUMBER": the CPU seconds of a step, or, as "calibration", what calibrate()
# printed. Prints the new values.
require_budget() {
    local row name cpu sum=0 known=0 expected now
    now=$(calibrate)
    printf '\n# to be recorded in %s\ncalibration %s\n' "$1" "$now"
    for row in "${step_results[@]}"; do
        IFS='|' read -r name _ cpu _ <<<"$row"
        printf '%s %s\n' "$name" "$cpu"
        sum=$((sum + cpu))
        known=$((known + $(awk -v name="$name" '$1 == name {print $2}' "$1" | grep . || echo 0)))
    done
    expected=$((known * now / $(awk '$1 == "calibration" {print $2}' "$1")))
    if ((sum * 4 > expected * 5)); then
        printf '%s CPU seconds were taken, and %s were expected: see which step grew, make it faster, or record why.\n' \
            "$sum" "$expected"
        return 1
    fi
    printf '# %s CPU seconds, of %s that were expected\n' "$sum" "$expected"
}
