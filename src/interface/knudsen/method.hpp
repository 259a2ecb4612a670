#pragma once

#include "case/reader.hpp"
#include "model/checkpoint_view.hpp"
#include "model/make_method.hpp"
#include "model/method.hpp"
#include "model/method_entry.hpp"
#include "model/problem.hpp"

// What a method of another project is made of; examples/own_method is one. These headers need
// Kokkos and the JSON library:
//
// - CaseNode reads the method's blocks, with the messages of all readers (case/reader.hpp);
// - Problem says what is known before memory is allocated, and creates the Method
// (model/problem.hpp);
// - Method owns the state and advances it (model/method.hpp), with KernelTimers round its kernels;
// - CheckpointWriter, CheckpointReader, save_view and load_view keep it
// (model/checkpoint_view.hpp).

namespace knudsen {

/// Adds a method, so that cases can name it in `method`. To be called before the first case is
/// read. Throws std::logic_error if there is a method with this name.
void register_method(MethodEntry entry);

}  // namespace knudsen
