# The rooms that read files and handle raw memory, a second time, with the sanitizers of addresses and undefined behaviour:
# test programs are linked with them in place of the ordinary ones, and run once more. It takes a tenth of the time of the
# preset asan, which checks everything.
option(SCANLOUPE_CHECKED "Run tests of reading files and of raw memory with sanitizers, too" OFF)

set(scanloupe_checked_rooms kernels/core kernels/formula kernels/laz kernels/mesh engine/io engine/survey)

# scanloupe_check_rooms(): makes the objects of those rooms.
function(scanloupe_check_rooms)
    add_library(scanloupe_checked OBJECT)
    foreach(layer scanloupe_kernels scanloupe_engine)
        get_target_property(base ${layer} SOURCE_DIR)
        get_target_property(sources ${layer} SOURCES)
        foreach(source IN LISTS sources)
            cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${base}" OUTPUT_VARIABLE file)
            cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
            string(REGEX MATCH "^[^/]+/[^/]+" room "${file}")
            if(file MATCHES "\\.cpp$" AND room IN_LIST scanloupe_checked_rooms)
                target_sources(scanloupe_checked PRIVATE "${PROJECT_SOURCE_DIR}/${file}")
                get_source_file_property(options "${source}" TARGET_DIRECTORY ${layer} COMPILE_OPTIONS)
                if(options)
                    set_source_files_properties("${PROJECT_SOURCE_DIR}/${file}" PROPERTIES COMPILE_OPTIONS "${options}")
                endif()
            endif()
        endforeach()
        get_target_property(alone ${layer} SCANLOUPE_ALONE)
        list(APPEND all_alone ${alone})
        target_include_directories(scanloupe_checked SYSTEM PRIVATE $<TARGET_PROPERTY:${layer},INCLUDE_DIRECTORIES>)
        target_compile_definitions(scanloupe_checked PRIVATE $<TARGET_PROPERTY:${layer},COMPILE_DEFINITIONS>)
    endforeach()
    target_link_libraries(scanloupe_checked PRIVATE scanloupe_flags)
    target_compile_options(scanloupe_checked PRIVATE -O1 -UNDEBUG ${scanloupe_address_checks} -Wno-maybe-uninitialized)
    scanloupe_precompile(scanloupe_checked)
    scanloupe_unity(scanloupe_checked ALONE ${all_alone})
endfunction()

# scanloupe_check_program(PROGRAM): runs the classes of a test program with the checked rooms, each as CLASS_checked.
function(scanloupe_check_program program)
    get_target_property(libraries ${program} LINK_LIBRARIES)
    get_target_property(classes ${program} SCANLOUPE_CLASSES)
    list(REMOVE_ITEM classes test_guarded_ptx) # it waits for CUDA's compiler
    # the checked objects first: of a function that both have, the linker takes the first
    add_executable(${program}_checked $<TARGET_OBJECTS:scanloupe_checked> $<TARGET_OBJECTS:${program}>)
    # as deep as the other test programs, which find programs by relative paths
    set_target_properties(${program}_checked PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/checked")
    target_link_libraries(${program}_checked PRIVATE ${libraries})
    target_link_options(${program}_checked PRIVATE ${scanloupe_address_checks})
    # CUDA needs the addresses that the sanitizer would keep free, else the tests take it that there is no GPU
    set(address_options allocator_may_return_null=1:detect_leaks=1:protect_shadow_gap=0)
    foreach(class IN LISTS classes)
        scanloupe_test(${class}_checked ${program}_checked ${class})
        set_tests_properties(${class}_checked PROPERTIES LABELS checked ENVIRONMENT
            "ASAN_OPTIONS=${address_options};UBSAN_OPTIONS=print_stacktrace=1;LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/packaging/lsan_suppressions.txt")
    endforeach()
endfunction()
