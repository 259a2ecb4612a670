#pragma once

#include <cstddef>
#include <vector>

#include "device/to_list.hpp"
#include "methods/bgkw/step.hpp"
#include "parallel/exchange.hpp"

namespace knudsen::bgkw {

/// Copies rows of cells to a buffer, one after the other; one team a row.
template <class ExecutionSpace, class Real>
struct PackRows {
  View<Real**, ExecutionSpace> values;
  View<int*, ExecutionSpace> cells;
  Real* buffer;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    const auto row = static_cast<std::size_t>(team.league_rank());
    const Real* from = &values(static_cast<std::size_t>(cells(row)), 0);
    Real* to = buffer + row * values.extent(1);
    team_each(team, static_cast<int>(values.extent(1)), [&](int n) { to[n] = from[n]; });
  }
};

/// Brings the values of cells of other ranks that are in a group with cells of this rank
/// (CutGroups). Groups may be of any size, so these need not be ghost cells.
template <class ExecutionSpace, class Real>
class GroupExchange {
  /// Other tags than those of GhostCells, which are below 500 (max_depth).
  static constexpr int tag = 999;

 public:
  /// By other rank: own cells that go there, and what is to come from there, one entry a cell.
  template <class Cells, class Received>
  GroupExchange(const std::vector<Cells>& sent, const std::vector<Received>& received,
                std::size_t row_size) {
    for (std::size_t rank = 0; rank < sent.size(); ++rank) {
      if (sent[rank].empty()) continue;  // then neither does anything come
      const auto other = static_cast<int>(rank);
      View<int*, ExecutionSpace> cells("cells of shared groups", sent[rank].size());
      upload(cells, sent[rank]);
      const std::size_t rows = received[rank].size();
      peers_.push_back({cells, rows,
                        exchange_.template add_send<Real>(other, tag, sent[rank].size() * row_size),
                        exchange_.template add_receive<Real>(other, tag, rows * row_size)});
    }
  }

  /// Collective among these ranks: sends rows of `values` and sets `received`, whose rows are those
  /// of the ranks one after the other.
  void operator()(const StepContext<ExecutionSpace>& context,
                  const View<Real**, ExecutionSpace>& values,
                  const View<Real**, ExecutionSpace>& received) {
    for (const Peer& peer : peers_) {
      Kokkos::parallel_for(
          "knudsen/bgkw/pack_groups", team_policy(context, static_cast<int>(peer.cells.extent(0))),
          PackRows<ExecutionSpace, Real>{values, peer.cells, exchange_.buffer(peer.send)});
    }
    exchange_.begin(context.execution);
    exchange_.end(context.execution);
    std::size_t row = 0;
    for (const Peer& peer : peers_) {
      using Rows = Kokkos::View<Real**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      const Rows from(exchange_.buffer(peer.receive), peer.rows, received.extent(1));
      // Elements of a view of a GPU must not be named here, on the host.
      const Rows to(received.data() + row * received.extent(1), peer.rows, received.extent(1));
      Kokkos::deep_copy(context.execution, to, from);
      row += peer.rows;
    }
  }

 private:
  struct Peer {
    View<int*, ExecutionSpace> cells;
    std::size_t rows;  ///< to receive
    ExchangedMessage<Real> send;
    ExchangedMessage<Real> receive;
  };

  std::vector<Peer> peers_;
  Exchange<ExecutionSpace> exchange_;
};

}  // namespace knudsen::bgkw
