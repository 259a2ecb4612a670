#include "run/shared_field.hpp"

#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {

SharedField::SharedField(Field own, const std::optional<OwnPlanes>& planes, const Problem& problem)
    : own_(std::move(own)),
      problem_(problem),
      cells_(problem.grid.cells, planes_or_all(planes, problem)) {
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
