#include "run/shared_field.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "output/vtkhdf.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {

SharedField::SharedField(Field own, const std::optional<OwnPlanes>& planes, const Problem& problem)
    : own_(std::move(own)),
      problem_(problem),
      cells_(problem.grid.cells, planes_or_all(planes, problem)) {
  // A rank without values need not know what the field is, but takes part in packing it.
  std::array<std::size_t, 2> form{static_cast<std::size_t>(own_.quantity.components),
                                  own_.values.index()};
  world().broadcast(form);
  if (own_.size() == 0) {
    own_.quantity.components = static_cast<int>(form[0]);
    if (form[1] == 0) {
      own_.values = std::vector<float>();
    } else {
      own_.values = std::vector<double>();
    }
  }
  const std::size_t found = own_.size();
  const std::size_t needed = cells_.own_size() * static_cast<std::size_t>(own_.quantity.components);
  if (found != needed) {
    throw RunError("field '" + own_.quantity.name + "' has " + std::to_string(found) +
                   " values, but the cells of this rank need " + std::to_string(needed));
  }
}

SharedField::~SharedField() {
  // After a failure of what was asked for, other ranks may not hear any more.
  if (!world().is_first() || asking_) return;
  try {
    tell(Request::end);
  } catch (const std::exception&) {
    // A rank has died, which the next call tells.
  }
}

void SharedField::tell(Request request, std::size_t begin, std::size_t end) {
  SentRequest sent{request, begin, end};
  asking_ = true;
  world().hear(&sent, sizeof sent);
}

void SharedField::serve() {
  for (;;) {
    SentRequest sent{};
    world().hear(&sent, sizeof sent);
    switch (sent.request) {
      case Request::values:
        gather(sent.begin, sent.end);
        break;
      case Request::pack: {
        const std::size_t bytes =
            std::visit([](const auto& own) { return sizeof own[0]; }, own_.values);
        const FieldPacking packing(problem_.grid, own_.quantity.components, bytes,
                                   shared_piece_bytes());
        pack_share(packing.ends(), packing, [](const PackedCells&) {});
        break;
      }
      case Request::pick: {
        std::vector<std::size_t> cells(sent.end);
        gather_picked(cells);
        break;
      }
      case Request::fault:
        gather_faults();
        break;
      case Request::end:
        return;
    }
  }
}

void SharedField::gather(std::size_t begin, std::size_t end) {
  const auto components = static_cast<std::size_t>(own_.quantity.components);
  std::visit(
      [&]<class Value>(const std::vector<Value>& own) {
        if (!std::holds_alternative<std::vector<Value>>(piece_)) piece_ = std::vector<Value>();
        auto& piece = std::get<std::vector<Value>>(piece_);
        if (world().is_first()) piece.resize((end - begin) * components);
        cells_.gather(own.data(), components, begin, end, piece.data());
      },
      own_.values);
}

PiecewiseField::Values SharedField::values(std::size_t begin, std::size_t end) {
  const auto components = static_cast<std::size_t>(own_.quantity.components);
  const bool alone = world().size() == 1;
  if (!alone) {
    tell(Request::values, begin, end);
    gather(begin, end);
    asking_ = false;
  }
  return std::visit(
      [&](const auto& values) -> Values {
        return std::span(values).subspan(alone ? begin * components : 0,
                                         (end - begin) * components);
      },
      alone ? own_.values : piece_);
}

void SharedField::pack_pieces(const std::vector<std::size_t>& ends, const Pack& pack,
                              const std::function<void(const PackedCells&)>& take) {
  if (world().size() == 1) return PiecewiseField::pack_pieces(ends, pack, take);
  tell(Request::pack);
  pack_share(ends, pack, take);
  asking_ = false;
}

void SharedField::pack_share(const std::vector<std::size_t>& ends, const Pack& pack,
                             const std::function<void(const PackedCells&)>& take) const {
  const Communicator& ranks = world();
  const auto me = static_cast<std::size_t>(ranks.rank());
  for (std::size_t first = 0; first < ends.size();
       first += static_cast<std::size_t>(ranks.size())) {
    const PackedCells own = std::visit(
        [&]<class Value>(const std::vector<Value>& values) {
          const std::vector<Value> piece = exchange(values, ends, first);
          return first + me < ends.size() ? pack(first + me, std::span<const Value>(piece))
                                          : PackedCells{};
        },
        own_.values);
    const auto counts = ranks.concatenate_on_first(
        std::vector<std::array<std::size_t, 2>>{{own.sizes.size(), own.bytes.size()}});
    const auto sizes = ranks.concatenate_on_first(own.sizes);
    const auto bytes = ranks.concatenate_on_first(own.bytes);
    auto size = sizes.begin();
    auto byte = bytes.begin();
    for (const auto& [chunks, length] : counts) {
      if (chunks == 0) continue;  // there are fewer pieces
      const auto size_end = size + static_cast<std::ptrdiff_t>(chunks);
      const auto byte_end = byte + static_cast<std::ptrdiff_t>(length);
      take({{size, size_end}, {byte, byte_end}});
      size = size_end;
      byte = byte_end;
    }
  }
}

/// Collective: the values of the piece with the number `first` + rank; none if there are fewer.
template <class Value>
std::vector<Value> SharedField::exchange(const std::vector<Value>& own,
                                         const std::vector<std::size_t>& ends,
                                         std::size_t first) const {
  const auto components = static_cast<std::size_t>(own_.quantity.components);
  const auto begin_of = [&](std::size_t piece) {
    return piece == 0 ? 0 : ends[std::min(piece, ends.size()) - 1];
  };
  // The values that a rank has of the piece of another one.
  const auto for_runs = [&](int rank, int of_rank, const auto& body) {
    const std::size_t piece = first + static_cast<std::size_t>(of_rank);
    const std::size_t begin = begin_of(piece);
    cells_.for_runs(rank, begin, begin_of(piece + 1),
                    [&](std::size_t cell, std::size_t count, std::size_t place) {
                      body((cell - begin) * components, count * components, place * components);
                    });
  };
  const Communicator& ranks = world();
  const int me = ranks.rank();
  constexpr int tag = 980;
  std::vector<std::vector<Value>> sent(static_cast<std::size_t>(ranks.size()));
  std::vector<std::vector<Value>> received(static_cast<std::size_t>(ranks.size()));
  Messages messages;
  for (int other = 0; other < ranks.size(); ++other) {
    if (other == me) continue;
    auto& to = sent[static_cast<std::size_t>(other)];
    for_runs(me, other, [&](std::size_t, std::size_t count, std::size_t place) {
      to.insert(to.end(), &own[place], &own[place] + count);
    });
    if (!to.empty()) messages.add_send(other, tag, to.data(), to.size() * sizeof(Value));
    auto& from = received[static_cast<std::size_t>(other)];
    std::size_t values = 0;
    for_runs(other, me, [&](std::size_t, std::size_t count, std::size_t) { values += count; });
    from.resize(values);
    if (values > 0) messages.add_receive(other, tag, from.data(), values * sizeof(Value));
  }
  messages.begin();
  messages.end();
  const std::size_t piece = first + static_cast<std::size_t>(me);
  std::vector<Value> values((begin_of(piece + 1) - begin_of(piece)) * components);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const Value* from = received[static_cast<std::size_t>(rank)].data();
    for_runs(rank, me, [&](std::size_t at, std::size_t count, std::size_t place) {
      std::copy_n(rank == me ? &own[place] : from, count, &values[at]);
      if (rank != me) from += count;
    });
  }
  return values;
}

Field SharedField::part(std::size_t begin, std::size_t end) {
  return {quantity(),
          std::visit(
              []<class Value>(std::span<const Value> values) -> decltype(Field::values) {
                return std::vector<Value>(values.begin(), values.end());
              },
              values(begin, end))};
}

CellValues SharedField::pick(const std::vector<std::size_t>& cells) {
  if (world().size() == 1) return {quantity(), own_values(cells)};
  std::vector<std::size_t> asked = cells;
  tell(Request::pick, 0, asked.size());
  CellValues picked{quantity(), gather_picked(asked)};
  asking_ = false;
  return picked;
}

std::vector<double> SharedField::own_values(const std::vector<std::size_t>& cells) const {
  const auto components = static_cast<std::size_t>(own_.quantity.components);
  std::vector<double> own;
  if (world().size() == 1) own.reserve(cells.size() * components);
  for (const std::size_t cell : cells) {
    cells_.for_runs(world().rank(), cell, cell + 1,
                    [&](std::size_t, std::size_t, std::size_t place) {
                      for (std::size_t c = 0; c < components; ++c) {
                        own.push_back(own_[place * components + c]);
                      }
                    });
  }
  return own;
}

std::vector<double> SharedField::gather_picked(std::vector<std::size_t>& cells) const {
  const Communicator& ranks = world();
  const auto components = static_cast<std::size_t>(own_.quantity.components);
  ranks.broadcast(cells.data(), cells.size() * sizeof(std::size_t));
  std::vector<std::size_t> of_rank(static_cast<std::size_t>(ranks.size()) + 1, 0);
  for (const std::size_t cell : cells) ++of_rank[static_cast<std::size_t>(cells_.owner(cell)) + 1];
  const std::vector<double> all = ranks.concatenate_on_first(own_values(cells));
  std::vector<double> picked;
  if (!ranks.is_first()) return picked;
  picked.reserve(cells.size() * components);
  for (std::size_t rank = 1; rank < of_rank.size(); ++rank) of_rank[rank] += of_rank[rank - 1];
  for (const std::size_t cell : cells) {
    const std::size_t next = of_rank[static_cast<std::size_t>(cells_.owner(cell))]++;
    for (std::size_t c = 0; c < components; ++c) picked.push_back(all[next * components + c]);
  }
  return picked;
}

std::optional<std::string> SharedField::fault() {
  tell(Request::fault);
  const FaultyCells faulty = gather_faults();
  asking_ = false;
  return fault_text(quantity(), faulty, problem_);
}

FaultyCells SharedField::gather_faults() const {
  FaultyCells own;
  const auto components = static_cast<std::size_t>(own_.quantity.components);
  std::visit(
      [&](const auto& values) {
        cells_.for_runs(world().rank(), 0, cells_.size(),
                        [&](std::size_t cell, std::size_t count, std::size_t place) {
                          own += faulty_cells(own_.quantity, &values[place * components], cell,
                                              count, problem_);
                        });
      },
      own_.values);
  FaultyCells all;
  for (const FaultyCells& each : world().concatenate_on_first(std::vector{own})) all += each;
  return all;
}

}  // namespace knudsen
