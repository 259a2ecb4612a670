#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace knudsen {

/// Calls body(at, count, place) for the runs of adjacent numbers that this rank has of an array:
/// the place of the first in the array, how many, and their place among the rank's own.
using ForRuns =
    std::function<void(const std::function<void(std::size_t, std::size_t, std::size_t)>& body)>;

/// Writes a checkpoint: an HDF5 file of named numbers, texts and arrays. Each array has a checksum
/// of 64 bits, a sum over its numbers that are mixed with their places, and the file one (XXH3)
/// over all names, values and checksums. It appears under its name only when `commit` has written,
/// synced and closed it.
class CheckpointWriter {
 public:
  /// `case_digest` identifies the physical problem (see CaseDocument::digest).
  CheckpointWriter(const std::filesystem::path& path, const std::string& method,
                   const std::string& case_digest, std::int64_t step);
  /// On ranks other than the first one, which has the file: writes the own parts of shared arrays
  /// and nothing else.
  CheckpointWriter();
  ~CheckpointWriter();  ///< without `commit`: removes the temporary file

  void number(const std::string& name, double value);
  void integer(const std::string& name, std::int64_t value);
  void text(const std::string& name, const std::string& value);
  void array(const std::string& name, const float* data, const std::vector<std::size_t>& shape);
  void array(const std::string& name, const double* data, const std::vector<std::size_t>& shape);
  void array(const std::string& name, const std::uint16_t* data,
             const std::vector<std::size_t>& shape);
  void array(const std::string& name, const std::int64_t* data,
             const std::vector<std::size_t>& shape);
  /// Collective: writes an array of which each rank has some numbers, and all ranks together each
  /// number once. Each rank writes its own (SharedPart), in pieces. copy(place, count, to) copies
  /// numbers of a run that `body` was called with last; neither it nor `for_runs` may be
  /// collective. The bytes of the file are those that `array` gives. Throws as `together`.
  template <class Number>
  void shared_array(const std::string& name, const std::vector<std::size_t>& shape,
                    const ForRuns& for_runs,
                    const std::function<void(std::size_t, std::size_t, Number*)>& copy);
  /// Throws RunError (disk full, directory gone) and leaves an existing file of that name
  /// unchanged.
  void commit();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Reads a checkpoint. The constructor verifies it except for the arrays' values, which are
/// verified when they are read. Every error is an InputError that names the file and the reason:
/// missing, not HDF5, not a Knudsen checkpoint, other format version, truncated, wrong checksum.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::filesystem::path& path);
  ~CheckpointReader();

  const std::filesystem::path& path() const;
  const std::string& method() const;
  const std::string& case_digest() const;
  std::uint64_t checksum() const;  ///< of all that the file holds
  std::int64_t step() const;
  double number(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  std::string text(const std::string& name) const;
  bool has_number(const std::string& name) const;
  bool has_text(const std::string& name) const;
  /// Whether the checkpoint has an array of that name and shape.
  bool has_array(const std::string& name, const std::vector<std::size_t>& shape) const;
  /// Reads an array, which must be stored with this type and shape, and verifies its checksum.
  void array(const std::string& name, float* data, const std::vector<std::size_t>& shape) const;
  void array(const std::string& name, double* data, const std::vector<std::size_t>& shape) const;
  void array(const std::string& name, std::uint16_t* data,
             const std::vector<std::size_t>& shape) const;
  void array(const std::string& name, std::int64_t* data,
             const std::vector<std::size_t>& shape) const;
  /// Collective: reads an array of which each rank has some numbers, and all ranks together each
  /// number once. A rank reads its own, in pieces, and what is between runs that are near each
  /// other; of a checkpoint of the format before, whose checksums are not sums, it reads all.
  /// take(place, count, from) receives numbers of a run, or of several that are adjacent by both
  /// places, when later runs may have been named: runs in the order in which they are named, those
  /// of the format before by their places in the array, for which they are named several times.
  /// Neither it nor `for_runs` may be collective. Runs of an array of more than two dimensions are
  /// whole rows, all numbers with one first index. Verifies the checksum over the numbers of all
  /// ranks. Throws as `together`.
  template <class Number>
  void shared_array(const std::string& name, const std::vector<std::size_t>& shape,
                    const ForRuns& for_runs,
                    const std::function<void(std::size_t, std::size_t, const Number*)>& take) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace knudsen
