# Fails when what PROGRAM ARGUMENTS prints is not what FILE holds.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FILE} held)
if(NOT printed STREQUAL held)
  message(FATAL_ERROR "${FILE} is not up to date: run `make schema`")
endif()
