# Writes OUTPUT, a header with the commit that SOURCE is at; leaves it alone when nothing has changed, so that nothing
# is compiled again. Run by every build.
execute_process(COMMAND git describe --always --dirty --abbrev=10 --exclude=*
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
    set(commit "unknown")
endif()
set(text "#define SCANLOUPE_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS "${OUTPUT}")
    file(READ "${OUTPUT}" old)
endif()
if(NOT text STREQUAL old)
    file(WRITE "${OUTPUT}" "${text}")
endif()
