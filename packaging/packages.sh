# shellcheck shell=bash disable=SC2034  # read by common.sh
# Packages of the distribution that the project needs, by their names in Debian 12 and 13 and Ubuntu 22.04 and 24.04.

# to build the command line
PACKAGES_COMMAND_LINE=(
    g++ cmake ninja-build ccache
    libtbb-dev           # parallel loops
    libeigen3-dev        # small matrices
    libfmt-dev           # text formatting
    nlohmann-json3-dev   # recipes, timings
    libcli11-dev         # the command line's options
    libpng-dev           # pictures
    zlib1g-dev           # checksums; points on the disk
    libpugixml-dev       # the descriptions in E57 files
    libmuparser-dev      # formulas
    nettle-dev           # checksums in reports and of surfaces
    libproj-dev          # coordinate systems
    libarchive-dev       # arrays of NumPy in archives
)
# to build the program
PACKAGES_BUILD=(
    "${PACKAGES_COMMAND_LINE[@]}"
    qt6-base-dev libqt6opengl6-dev libqt6svg6-dev libgl1-mesa-dev # the window
)
# to build and run the tests
PACKAGES_TEST=(
    xvfb xauth libgl1-mesa-dri fonts-dejavu-core # a display for the window, with OpenGL and fonts
    python3-numpy python3-jsonschema             # check files that the command line writes
    mandoc zsh fish                              # check its manual pages and completions
    libopenmpi-dev openmpi-bin iproute2          # surveys in several processes, and on hosts of a network
)
# to make a .deb that names the libraries it needs
PACKAGES_DEB=(dpkg-dev file)
# to report line coverage
PACKAGES_COVERAGE=(gcovr)
# to fuzz the readers
PACKAGES_FUZZ=(clang)
# to format the sources, check their wording, and run clang-tidy; Debian 13 has newer versions only
PACKAGES_FORMAT=(clang-format-14 python3)
PACKAGES_TIDY=(clang-tidy-14)
