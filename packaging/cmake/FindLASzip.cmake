# LASzip, which packs and unpacks LAZ: the distribution's, or the one that packaging/laszip.sh has unpacked next to the builds.
# Sets LASzip_FOUND, LASzip_PRIVATE (the library has to travel with the program) and the target LASzip::LASzip. The
# library itself is linked, not laszip_api, which only loads it.
set(own "${PROJECT_SOURCE_DIR}/build/laszip/usr")
find_path(LASzip_INCLUDE_DIR laszip/laszip_api.h HINTS "${own}/include")
find_library(LASzip_LIBRARY laszip HINTS "${own}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" "${own}/lib")
mark_as_advanced(LASzip_INCLUDE_DIR LASzip_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LASzip REQUIRED_VARS LASzip_LIBRARY LASzip_INCLUDE_DIR)

set(LASzip_PRIVATE OFF)
if(LASzip_FOUND)
    string(FIND "${LASzip_LIBRARY}" "${own}/" place)
    if(place EQUAL 0)
        set(LASzip_PRIVATE ON)
    endif()
    if(NOT TARGET LASzip::LASzip)
        add_library(LASzip::LASzip UNKNOWN IMPORTED)
        set_target_properties(LASzip::LASzip PROPERTIES
            IMPORTED_LOCATION "${LASzip_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LASzip_INCLUDE_DIR}")
    endif()
endif()
