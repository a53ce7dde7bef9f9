# The target `coverage`: runs the suite and prints the line coverage of kernels and engine, without the GPU's sources,
# which host compilers can't count.
find_program(SCANLOUPE_GCOVR gcovr)
if(NOT SCANLOUPE_GCOVR)
    message(FATAL_ERROR "SCANLOUPE_COVERAGE is ON, but there is no gcovr: install it, or run packaging/coverage.sh")
endif()

function(scanloupe_add_coverage)
    set(programs "")
    set(folders "${PROJECT_SOURCE_DIR}")
    while(folders)
        list(POP_FRONT folders folder)
        get_directory_property(here DIRECTORY "${folder}" BUILDSYSTEM_TARGETS)
        get_directory_property(below DIRECTORY "${folder}" SUBDIRECTORIES)
        list(APPEND programs ${here})
        list(APPEND folders ${below})
    endwhile()
    list(FILTER programs INCLUDE REGEX "^(tests_|scanloupe-cli$)")
    list(FILTER programs EXCLUDE REGEX "_autogen")
    add_custom_target(coverage
        COMMAND find "${PROJECT_BINARY_DIR}" -name "*.gcda" -delete # counts of earlier runs
        COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${PROJECT_BINARY_DIR}" --output-on-failure -j2 -LE long
        COMMAND "${SCANLOUPE_GCOVR}" --root "${PROJECT_SOURCE_DIR}" --object-directory "${PROJECT_BINARY_DIR}"
            --filter "${PROJECT_SOURCE_DIR}/kernels/" --filter "${PROJECT_SOURCE_DIR}/engine/"
            --exclude ".*cuda_unavailable\\.cpp" --print-summary
        DEPENDS ${programs}
        USES_TERMINAL VERBATIM)
endfunction()
cmake_language(DEFER DIRECTORY "${PROJECT_SOURCE_DIR}" CALL scanloupe_add_coverage)
