#pragma once

namespace knudsen {

/// Prepares the program for streams and limits that fail: a closed pipe and a limit on the size of
/// files are then errors of the call that writes, and not signals that kill. Standard streams that
/// are closed are opened, so that no result file gets their number.
void prepare_streams();

/// Flushes standard output. Throws RunError if anything written to it since the start was lost.
void flush_standard_output();

}  // namespace knudsen
