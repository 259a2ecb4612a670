#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace knudsen {

/// Writes a checkpoint: an HDF5 file of named numbers, strings and arrays, each array with a
/// checksum (XXH3, 64 bits) and the whole with one over all names, values and checksums. The file
/// appears under its name only when `commit` has written, synced and closed it.
class CheckpointWriter {
 public:
  /// `case_digest` identifies the physical problem (see CaseDocument::digest).
  CheckpointWriter(const std::filesystem::path& path, const std::string& method,
                   const std::string& case_digest, std::int64_t step);
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
  /// Throws RunError (disk full, directory gone) and leaves an earlier file of that name untouched.
  void commit();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Opens and verifies a checkpoint. Every error is an InputError that names the file and the
/// reason: missing, not HDF5 (a text file), not a Knudsen checkpoint, newer format version,
/// truncated, checksum of array X wrong.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::filesystem::path& path);
  ~CheckpointReader();

  const std::filesystem::path& path() const;
  const std::string& method() const;
  const std::string& case_digest() const;
  std::int64_t step() const;
  double number(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// Whether there is an array of that name and shape.
  bool has_array(const std::string& name, const std::vector<std::size_t>& shape) const;
  /// Reads into `data`; the stored type and shape must be the asked ones. Verifies the checksum.
  void array(const std::string& name, float* data, const std::vector<std::size_t>& shape) const;
  void array(const std::string& name, double* data, const std::vector<std::size_t>& shape) const;
  void array(const std::string& name, std::uint16_t* data,
             const std::vector<std::size_t>& shape) const;
  void array(const std::string& name, std::int64_t* data,
             const std::vector<std::size_t>& shape) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace knudsen
