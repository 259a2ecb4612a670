#pragma once

#include <string>

namespace knudsen {

/// Prepares the program for streams and limits that fail: a closed pipe and a limit on the size of
/// files are then errors of the call that writes, and not signals that kill. Standard streams that
/// are closed are opened, so that no result file gets their number.
void prepare_streams();

/// Flushes standard output. Throws RunError if anything written to it since the start was lost.
void flush_standard_output();

/// The text as one line of a message: control characters and bytes that are not UTF-8 escaped as in
/// C, and a text of more than 1900 bytes cut short.
std::string one_line(const std::string& text);

}  // namespace knudsen
