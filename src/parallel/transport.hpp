#pragma once

#include <string>
#include <vector>

#include "device/backend.hpp"

namespace knudsen {

/// How the values of an exchange go from rank to rank.
enum class Transport {
  host,    ///< by MPI, on a GPU through pinned memory of the host
  mpi,     ///< by an MPI that reads and writes the memory of GPUs
  shared,  ///< through memory of the host that the GPUs of a node write and read; needs CUDA
  peer     ///< from GPU to GPU within a node; needs CUDA
};

/// The values of parallel.transport in a case: "auto", "peer", "mpi", "host".
const std::vector<std::string>& transport_names();

/// Collective: probes what works between the ranks and chooses how exchanges that are made from
/// here on go. `wanted` is one of transport_names(). Returns a sentence if it does not work or, for
/// "auto", if GPUs of one node cannot reach each other's memory, on all ranks; else an empty text.
std::string choose_transport(const std::string& wanted, Backend backend);

/// How an exchange on a GPU with another rank goes.
Transport transport_to(int rank);

/// Waits until the exchanges begun so far have ended on this rank, where they end without its host:
/// so a rank that has died or hangs is noticed here, and not in a wait for the GPU, which would
/// last for ever. Adds the time for which GPUs waited to traffic().
void finish_exchanges();

/// The choice in words, for the report.
std::string transport_text(Backend backend);

}  // namespace knudsen
