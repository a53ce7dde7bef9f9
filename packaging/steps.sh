# shellcheck shell=bash
# Runs commands as steps, and tells how long each took. Sourced by .ci/run and check.sh.

step_results=() # NAME|TIME|RESULT of each step that was run

# minutes SECONDS: prints them as people say them.
minutes() {
    if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# timed NAME COMMAND...: runs the command, and returns its status.
timed() {
    local name=$1 started=$SECONDS status=0 result=passed
    shift
    printf '\n==== %s\n' "$name"
    "$@" || status=$?
    if ((status != 0)); then result="failed ($status)"; fi
    step_results+=("$name|$(minutes $((SECONDS - started)))|$result")
    printf '==== %s: %s in %s\n' "$name" "$result" "$(minutes $((SECONDS - started)))"
    return "$status"
}

# Prints a table of the steps that were run, and of the time since the script began.
print_steps() {
    local row name time result
    printf '\n%-12s %14s  %s\n' step time result
    for row in "${step_results[@]}"; do
        IFS='|' read -r name time result <<<"$row"
        printf '%-12s %14s  %s\n' "$name" "$time" "$result"
    done
    printf '%-12s %14s\n' all "$(minutes "$SECONDS")"
}
