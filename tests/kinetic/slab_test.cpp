#include "methods/gas/slab.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace knudsen {
namespace {

struct Box {
  std::array<int, 3> cells;
  int ranks;
  int depth;
  bool periodic;
};

std::vector<CellSlab> slabs_of(const Box& box) {
  std::vector<CellSlab> slabs;
  for (int rank = 0; rank < box.ranks; ++rank) {
    slabs.push_back(CellSlab::of(box.cells, rank, box.ranks, box.depth, box.periodic));
  }
  return slabs;
}

/// Calls body for boxes with more and with fewer layers than ranks and ghosts.
template <class Body>
void each_box(const Body& body) {
  for (const int layers : {2, 3, 4, 7, 20}) {
    for (const int ranks : {1, 2, 3, 4, 6}) {
      for (const int depth : {1, 2, 5}) {
        for (const bool periodic : {false, true}) {
          body({{3, 2, layers}, ranks, depth, periodic});
          body({{3, layers, 1}, ranks, depth, periodic});
          body({{layers, 1, 1}, ranks, depth, periodic});
        }
      }
    }
  }
}

TEST(CellSlab, IsCutAcrossTheSlowestAxisOfSeveralCells) {
  EXPECT_EQ(CellSlab::of({3, 4, 5}, 0, 2, 1, false).axis, 2);
  EXPECT_EQ(CellSlab::of({3, 4, 5}, 0, 2, 1, false).layer_cells, 12);
  EXPECT_EQ(CellSlab::of({3, 4, 1}, 0, 2, 1, false).axis, 1);
  EXPECT_EQ(CellSlab::of({3, 1, 1}, 0, 2, 1, false).axis, 0);
  EXPECT_EQ(CellSlab::of({1, 1, 1}, 0, 2, 1, false).axis, 0);
}

TEST(CellSlab, OwnLayersShareOutTheBoxEvenly) {
  each_box([](const Box& box) {
    int next = 0;
    for (const CellSlab& slab : slabs_of(box)) {
      EXPECT_EQ(slab.first, next);
      EXPECT_GE(slab.count, slab.layers / box.ranks);
      EXPECT_LE(slab.count, slab.layers / box.ranks + 1);
      next += slab.count;
    }
    EXPECT_EQ(next, box.cells[0] * box.cells[1] * box.cells[2] / slabs_of(box)[0].layer_cells);
  });
}

TEST(CellSlab, OneRankHasNoGhosts) {
  const CellSlab slab = CellSlab::of({3, 4, 1}, 0, 1, 2, true);
  EXPECT_EQ(slab.ghost_cells(), 0);
  EXPECT_EQ(slab.own_cells(), 12);
}

TEST(CellSlab, GhostsEndAtSidesThatAreNotPeriodic) {
  const CellSlab slab = CellSlab::of({8, 1, 1}, 1, 4, 3, false);  // layers 2 and 3
  EXPECT_EQ(slab.ghosts(0), 2);
  EXPECT_EQ(slab.ghosts(1), 3);
  EXPECT_TRUE(slab.is_near(0, 3));
  EXPECT_FALSE(slab.is_near(0, 2));
  EXPECT_FALSE(slab.is_near(1, 4));
}

TEST(CellSlab, StoresEveryLayerOnceWithGhostsBehind) {
  each_box([](const Box& box) {
    for (const CellSlab& slab : slabs_of(box)) {
      std::vector<int> stored(
          static_cast<std::size_t>(slab.count + slab.ghosts(0) + slab.ghosts(1)));
      for (int place = -slab.ghosts(0); slab.stores(place); ++place) {
        stored.at(static_cast<std::size_t>(slab.with_ghosts_behind(place))) += 1;
      }
      EXPECT_EQ(stored, std::vector<int>(stored.size(), 1));
    }
  });
}

/// Every message that a rank expects is sent once, and is of the layer that the ghost stands for.
TEST(CellSlab, MessagesSentAreThoseReceived) {
  each_box([](const Box& box) {
    const std::vector<CellSlab> slabs = slabs_of(box);
    std::map<std::tuple<int, int, int>, int> sent;  // layer by sender, receiver and tag
    for (int rank = 0; rank < box.ranks; ++rank) {
      for (const LayerMessage& m : layers_to_send(slabs, rank)) {
        const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
        EXPECT_TRUE(m.place >= 0 && m.place < slab.count);
        EXPECT_TRUE(sent.emplace(std::tuple(rank, m.rank, m.tag), slab.first + m.place).second);
        EXPECT_LT(m.tag, 2 * (box.depth + 1));
      }
    }
    std::size_t received = 0;
    for (int rank = 0; rank < box.ranks; ++rank) {
      const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
      const auto messages = layers_to_receive(slabs, rank);
      EXPECT_EQ(static_cast<int>(messages.size()), slab.ghosts(0) + slab.ghosts(1));
      received += messages.size();
      for (const LayerMessage& m : messages) {
        const int layers = slab.layers;
        const int expected = ((slab.first + m.place) % layers + layers) % layers;
        EXPECT_EQ(sent.at({m.rank, rank, m.tag}), expected);
        EXPECT_EQ(m.side, m.place < 0 ? 0 : 1);
      }
    }
    EXPECT_EQ(received, sent.size());
  });
}

}  // namespace
}  // namespace knudsen
