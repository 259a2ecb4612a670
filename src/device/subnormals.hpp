#pragma once

namespace knudsen {

/// From here on, arithmetic of the calling thread, and of threads that it starts, gives zero where
/// the result would be too small for a normal number: below 1.2e-38 in single precision. Returns
/// what restore_arithmetic takes to undo that. Only on processors of the x86 family; elsewhere it
/// does nothing.
///
/// Such numbers have no meaning in a flow, but a processor of the host may take a hundred times as
/// long for each: ahead of a wave into gas at rest, populations differ from those at rest by ever
/// less. Numbers that are so small already are taken as they are, since conversions of 16-bit
/// populations need them.
unsigned flush_subnormals();
void restore_arithmetic(unsigned mode);

}  // namespace knudsen
