#include "device/subnormals.hpp"

namespace knudsen {

#ifdef __SSE__

unsigned flush_subnormals() {
  constexpr unsigned flush_to_zero = 1U << 15;
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | flush_to_zero);
  return before;
}

void restore_arithmetic(unsigned mode) { __builtin_ia32_ldmxcsr(mode); }

#else

unsigned flush_subnormals() { return 0; }
void restore_arithmetic(unsigned /*mode*/) {}

#endif

}  // namespace knudsen
