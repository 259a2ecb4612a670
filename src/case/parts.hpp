#pragma once

#include <map>
#include <string>
#include <vector>

#include "case/description.hpp"

namespace knudsen {

/// A step from an object of a case to a part of it.
struct PartStep {
  /// Key that chooses the kind; empty for a step to a member.
  std::string chooser;
  /// The kind, or the member's key, with "[]" for a list of objects. Several names stand for as
  /// many places that differ in this step alone.
  std::vector<std::string> names;
};

/// The steps from the top level to a part.
using PartPath = std::vector<PartStep>;

/// Keys that readers declare together: those of a member that is an object or a list of objects, or
/// those that a kind of an object adds. All places with the same keys, in all details, are one
/// part.
struct Part {
  std::size_t number = 0;  ///< differs from that of other parts
  const ObjectDescription* description = nullptr;
  std::string documentation;       ///< that of the first place
  bool same_documentation = true;  ///< whether it is that of all places
  std::vector<PartPath> places;    ///< in the order of the readers
  /// The number of parts that refer to this one, each counted as often as it does.
  int uses = 0;
};

/// One place where a description has a part.
struct PartReference {
  const ObjectDescription* description = nullptr;
  PartStep step;
  std::string documentation;
};

/// The members of a description that are objects, then its kinds.
std::vector<PartReference> part_references(const ObjectDescription& description);

/// All parts of a case. The description must outlive them.
class Parts {
 public:
  explicit Parts(const ObjectDescription& whole);
  /// The part to which members of a key or a kind belong.
  const Part& of(const ObjectDescription& members) const { return *part_of_.at(&members); }

 private:
  Part& add(const PartReference& reference, const PartPath& path);

  std::map<std::string, Part> known_;  ///< by all that their readers declare
  std::map<const ObjectDescription*, Part*> part_of_;
};

/// As few paths for the same places, of which each may name several.
std::vector<PartPath> merged(std::vector<PartPath> places);

}  // namespace knudsen
