# Writes the commit of SOURCE_DIR to the header OUTPUT. The file is touched only if the commit changed.
# KNUDSEN_GIT_COMMIT in the environment takes precedence, for builds from an export without .git.
set(commit "$ENV{KNUDSEN_GIT_COMMIT}")
if(NOT commit)
  execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
set(content "#pragma once\n#define KNUDSEN_GIT_COMMIT \"${commit}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${content}")
  file(WRITE ${OUTPUT} "${content}")
endif()
