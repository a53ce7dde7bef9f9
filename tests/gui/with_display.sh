#!/bin/sh
# Runs a program on the current display, or on a virtual one of $SCANLOUPE_TEST_SCREEN pixels. Exits with 77 if there is
# neither.
if [ -n "$DISPLAY" ]; then
    exec "$@"
fi
if ! command -v xvfb-run >/dev/null 2>&1; then
    echo "no display, and no xvfb-run: install xvfb to run the tests of the window"
    exit 77
fi
exec xvfb-run -a -s "-screen 0 ${SCANLOUPE_TEST_SCREEN:-1920x1200}x24" "$@"
