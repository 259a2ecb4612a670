#pragma once

#include <array>
#include <cstddef>
#include <vector>

// How a box of cells is shared out to ranks: in slabs along the axis whose layers of cells are
// contiguous in memory, with ghost layers that hold the values of neighbouring ranks.

namespace knudsen {

/// Most ghost layers on a side: tags of Exchange are below 1000, and a method exchanges two arrays.
inline constexpr int max_depth = 249;

/// A layer of cells that goes from one rank to another before a streaming.
struct LayerMessage {
  int rank;   ///< the other rank
  int tag;    ///< tells the messages between two ranks from each other; less than 2 (depth + 1)
  int place;  ///< of the layer, see CellSlab
  int side;   ///< side of the receiving slab on which it is a ghost layer: 0 low, 1 high
};

/// The part of a box of cells that a rank holds. Cells are numbered (z * ny + y) * nx + x.
///
/// Places of layers count from the first own layer and go on over the ghosts: -1 is the nearest one
/// below. An array of cells may store its layers by places, the ghosts below in front of the own
/// ones, or with the ghosts behind: own layers, ghosts below, ghosts above, each from the nearest
/// on.
struct CellSlab {
  int axis = 0;           ///< the slowest axis with more than one cell, across which the box is cut
  int layers = 1;         ///< of the whole box
  int layer_cells = 1;    ///< cells of a layer, contiguous in memory
  int first = 0;          ///< first of this rank's own layers; they may be none
  int count = 1;          ///< own layers
  int depth = 0;          ///< ghost layers on a cut side; 0: the rank has the whole box
  bool periodic = false;  ///< the sides across the axis are

  /// The slab of a rank. With one rank it is the whole box, without ghosts. `depth` is the number
  /// of layers that a streaming reads beyond a cell.
  static CellSlab of(const std::array<int, 3>& cells, int rank, int ranks, int depth,
                     bool periodic);

  int own_cells() const { return count * layer_cells; }
  int first_cell() const { return first * layer_cells; }
  /// Whether a cell of the box is one of the own ones.
  bool owns(int cell) const { return cell >= first_cell() && cell - first_cell() < own_cells(); }
  /// Ghost layers on a side: none beyond a side of the box that is not periodic.
  int ghosts(int side) const;
  int ghost_cells() const { return (ghosts(0) + ghosts(1)) * layer_cells; }
  /// Layer of the whole box at a place.
  int layer_at(int place) const { return (first + place % layers + layers) % layers; }
  /// Whether this rank stores the layer at a place.
  bool stores(int place) const { return place >= -ghosts(0) && place < count + ghosts(1); }
  /// Whether fewer than `layers_between` layers lie between the own ones and a side of the box.
  bool is_near(int side, int layers_between) const {
    if (count == 0) return false;
    return (side == 0 ? first : layers - first - count) < layers_between;
  }
  /// Where the layer at a place is stored with the ghosts behind.
  int with_ghosts_behind(int place) const;
};

/// The messages that a rank receives and sends, by the slabs of all ranks.
std::vector<LayerMessage> layers_to_receive(const std::vector<CellSlab>& slabs, int rank);
std::vector<LayerMessage> layers_to_send(const std::vector<CellSlab>& slabs, int rank);

}  // namespace knudsen
