# shellcheck shell=bash disable=SC2034  # read by common.sh
# What the project needs from the distribution, by the names of Debian 12 and 13 and Ubuntu 22.04 and 24.04.

# to build the program
PACKAGES_BUILD=(
    g++ cmake ninja-build ccache
    libtbb-dev           # parallel loops
    libeigen3-dev        # small matrices
    libfmt-dev           # text
    nlohmann-json3-dev   # recipes, timings
    libcli11-dev         # the command line's options
    libpng-dev           # pictures
)
# to build and run the tests
PACKAGES_TEST=(
    qt6-base-dev         # Qt Test; Qt Core
    libgl1-mesa-dev      # Qt's own CMake files ask for it
)
# to print the coverage
PACKAGES_COVERAGE=(gcovr)
