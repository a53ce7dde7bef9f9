# Libraries that the compiler for SYCL makes.

# Compiles sources, relative to the project, into bin/NAME.so of the build; the target is TARGET.
function(scanloupe_add_sycl_library target name)
    set(flags -std=c++20 -O3 -fPIC -ffp-contract=off -fvisibility=hidden -DSCANLOUPE_FOR_SYCL -I "${PROJECT_SOURCE_DIR}"
        -DACPP_ALLOW_INSTANT_SUBMISSION=1 # else AdaptiveCpp starts the kernels of in-order queues in batches
        ${SCANLOUPE_SYCL_FLAGS})
    if(SCANLOUPE_SYCL_COMPILER MATCHES "icpx$")
        list(APPEND flags -fsycl -fp-model=precise -fno-sycl-id-queries-fit-in-int) # more than 2^31 nodes
    endif()
    set(objects)
    foreach(source IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER "${source}" file)
        set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}_${file}.o")
        add_custom_command(OUTPUT "${object}"
            COMMAND "${SCANLOUPE_SYCL_COMPILER}" ${flags} -MD -MF "${object}.d" -MT "${object}"
                -c "${PROJECT_SOURCE_DIR}/${source}" -o "${object}"
            DEPENDS "${PROJECT_SOURCE_DIR}/${source}" DEPFILE "${object}.d"
            COMMENT "Compiling ${source} for SYCL" VERBATIM COMMAND_EXPAND_LISTS)
        list(APPEND objects "${object}")
    endforeach()
    set(library "${PROJECT_BINARY_DIR}/bin/${name}.so")
    add_custom_command(OUTPUT "${library}"
        COMMAND "${SCANLOUPE_SYCL_COMPILER}" ${flags} -shared ${objects} -o "${library}"
        DEPENDS ${objects} COMMENT "Linking ${name}.so" VERBATIM COMMAND_EXPAND_LISTS)
    add_custom_target(${target} ALL DEPENDS "${library}")
endfunction()
