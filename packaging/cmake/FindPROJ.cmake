# PROJ 7.2 or newer, which knows coordinate systems: the distribution's, with or without its own files for CMake.
# Sets PROJ_FOUND, PROJ_VERSION and the target PROJ::proj.
find_path(PROJ_INCLUDE_DIR proj.h)
find_library(PROJ_LIBRARY proj)
mark_as_advanced(PROJ_INCLUDE_DIR PROJ_LIBRARY)
if(PROJ_INCLUDE_DIR)
    file(STRINGS "${PROJ_INCLUDE_DIR}/proj.h" versions REGEX "^#define PROJ_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
    string(REGEX MATCHALL "[0-9]+" versions "${versions}")
    list(JOIN versions "." PROJ_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PROJ REQUIRED_VARS PROJ_LIBRARY PROJ_INCLUDE_DIR VERSION_VAR PROJ_VERSION)

if(PROJ_FOUND AND NOT TARGET PROJ::proj)
    add_library(PROJ::proj UNKNOWN IMPORTED)
    set_target_properties(PROJ::proj PROPERTIES
        IMPORTED_LOCATION "${PROJ_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${PROJ_INCLUDE_DIR}")
endif()
