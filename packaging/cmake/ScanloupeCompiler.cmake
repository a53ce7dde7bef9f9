# Language level, warnings, sanitizers and whether the CUDA sources are built.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(SCANLOUPE_CCACHE ccache)
if(SCANLOUPE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${SCANLOUPE_CCACHE}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${SCANLOUPE_CCACHE}")
endif()

find_program(SCANLOUPE_LINKER NAMES mold ld.lld) # a program of 20 MB: a sixth of the time of ld
if(SCANLOUPE_LINKER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
    cmake_path(GET SCANLOUPE_LINKER FILENAME linker)
    string(REPLACE "ld.lld" "lld" linker "${linker}")
    add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker}>)
endif()

set(SCANLOUPE_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (when nvcc is there), ON or OFF")
set_property(CACHE SCANLOUPE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(SCANLOUPE_HAS_CUDA OFF)
set(unused "${CMAKE_CUDA_FLAGS}${CMAKE_CUDA_FLAGS_DEBUG}${CMAKE_CUDA_ARCHITECTURES}") # presets set them; no warning where nvcc is missing
if(NOT SCANLOUPE_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
            # machine code for Hopper, and PTX that the driver translates for every other GPU since Turing
            set(CMAKE_CUDA_ARCHITECTURES "75-virtual;90-real" CACHE STRING "GPU architectures to build for")
        endif()
        enable_language(CUDA)
        if(CMAKE_VERSION VERSION_LESS 3.25.2) # these don't know that nvcc has C++20
            set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
            set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
        endif()
        set(CMAKE_CUDA_STANDARD 20)
        set(CMAKE_CUDA_STANDARD_REQUIRED ON)
        set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
        set(SCANLOUPE_HAS_CUDA ON)
        message(STATUS "CUDA backend: built with ${CMAKE_CUDA_COMPILER}, for ${CMAKE_CUDA_ARCHITECTURES}")
    elseif(SCANLOUPE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "SCANLOUPE_CUDA=ON, but no nvcc was found: install the CUDA Toolkit or put nvcc on PATH")
    else()
        message(STATUS "CUDA backend: not built (no nvcc found); the CPU backend does the same work")
    endif()
endif()

set(SCANLOUPE_SANITIZER "" CACHE STRING "address (with undefined), thread or fuzzer (with address and undefined; clang only); empty for none")
set(SCANLOUPE_COVERAGE OFF CACHE BOOL "Instrument for line coverage")

# Flags of all targets of this project. GCC 12 warns of impossible overlapping copies inside std::string (its bug 105651),
# so -Wno-restrict is set, and at -O3 of impossible reads and writes beyond its end. Contraction is off in both compilers,
# so that CPU and CUDA round alike. Warnings are errors if CMAKE_COMPILE_WARNING_AS_ERROR is set, as in the preset dev: a
# newer compiler finds new ones, which users who only build the program cannot fix.
add_library(scanloupe_flags INTERFACE)
target_compile_options(scanloupe_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;$<$<CONFIG:Release>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>>;-ffp-contract=off>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;--expt-relaxed-constexpr;--extended-lambda;-Xcompiler=-Wall,-Wextra,-ffp-contract=off>")
if(CMAKE_COMPILE_WARNING_AS_ERROR) # nvcc passes it to its own stages only
    target_compile_options(scanloupe_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>")
endif()
if(NOT SCANLOUPE_SANITIZER STREQUAL "")
    # GCC 12 sees uninitialized memory in its own <regex> once that is instrumented
    target_compile_options(scanloupe_flags INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>")
endif()
# null pointers end the program without a check of each access
set(scanloupe_address_checks -fsanitize=address,undefined -fno-sanitize=null,vptr,object-size -fno-sanitize-recover=all -fno-omit-frame-pointer)
if(SCANLOUPE_SANITIZER STREQUAL "address")
    target_compile_options(scanloupe_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${scanloupe_address_checks}>")
    target_link_options(scanloupe_flags INTERFACE -fsanitize=address,undefined)
elseif(SCANLOUPE_SANITIZER STREQUAL "thread")
    target_compile_options(scanloupe_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=thread;-fno-omit-frame-pointer>")
    target_link_options(scanloupe_flags INTERFACE -fsanitize=thread)
elseif(SCANLOUPE_SANITIZER STREQUAL "fuzzer")
    target_compile_options(scanloupe_flags INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link,address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
    target_link_options(scanloupe_flags INTERFACE -fsanitize=address,undefined)
elseif(NOT SCANLOUPE_SANITIZER STREQUAL "")
    message(FATAL_ERROR "SCANLOUPE_SANITIZER is '${SCANLOUPE_SANITIZER}': take address, thread, fuzzer or leave it empty")
endif()
if(SCANLOUPE_COVERAGE)
    target_compile_options(scanloupe_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=atomic>")
    target_link_options(scanloupe_flags INTERFACE --coverage)
    include(ScanloupeCoverage)
endif()
