#pragma once

// Internal: a thin layer over HDF5's C interface that closes what it opens and turns every failure
// into an exception with the file's name and a plain reason.

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace knudsen::hdf5 {

class File;
using Shape = std::vector<hsize_t>;

/// An open HDF5 object other than a file, closed when it goes out of scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(const File& file, hid_t id, Close close) : file_(file), id_(id), close_(close) {}
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  const File& file_;
  hid_t id_;
  Close close_;
};

/// HDF5's type of a number in memory; files hold the same type.
template <class Number>
hid_t type_of() {
  if constexpr (std::is_same_v<Number, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<Number, std::uint16_t>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<Number, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<Number, std::uint64_t>) return H5T_NATIVE_UINT64;
}

/// An open HDF5 file. While one is written, failures are RunErrors; while one is read, InputErrors.
class File {
 public:
  enum class Mode { create, read };

  /// `shown` is the name of the file in messages, where it differs from the one on disk.
  /// `checksummed` selects the newer layout of the file, in which HDF5 guards its own structures by
  /// checksums.
  File(std::filesystem::path path, std::filesystem::path shown, Mode mode,
       bool checksummed = false);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  hid_t id() const { return id_; }
  const std::filesystem::path& shown() const { return shown_; }
  /// Writes out everything and closes the file; throws also where something in it could not be
  /// written out when it was closed.
  void close();

  /// Gives `result` back where HDF5 succeeded, else throws "file: cannot `action`: reason".
  template <class Result>
  Result check(Result result, const std::string& action) const {
    if (result < 0) fail(action);
    return result;
  }
  Handle own(hid_t id, Handle::Close close, const std::string& action) const {
    return {*this, check(id, action), close};
  }

  /// For a new object of this kind, without the time of its making: the same content gives the same
  /// file, byte for byte.
  Handle creation_properties(hid_t kind) const;
  Handle create_group(hid_t parent, const std::string& name) const;
  Handle open_group(hid_t parent, const std::string& name) const;
  /// `properties` as made by creation_properties(H5P_DATASET_CREATE). An empty shape is a single
  /// value.
  Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape,
                        hid_t properties = H5P_DEFAULT) const;
  Handle create_dataspace(const Shape& shape) const;

  /// Text of fixed length, ASCII where it is ASCII, else UTF-8.
  void write_attribute(hid_t object, const std::string& name, const std::string& text) const;
  void write_attribute(hid_t object, const std::string& name, const char* text) const {
    write_attribute(object, name, std::string(text));
  }
  template <class Number>
  void write_attribute(hid_t object, const std::string& name, Number value) const {
    write_attribute(object, name, type_of<Number>(), Shape{}, &value);
  }
  template <class Number>
  void write_attribute(hid_t object, const std::string& name,
                       const std::vector<Number>& values) const {
    write_attribute(object, name, type_of<Number>(), Shape{values.size()}, values.data());
  }

  bool has_attribute(hid_t object, const std::string& name) const;
  std::vector<std::string> attribute_names(hid_t object) const;
  std::vector<std::string> link_names(hid_t group) const;
  std::string read_text(hid_t object, const std::string& name) const;
  template <class Number>
  Number read_number(hid_t object, const std::string& name) const {
    Number value{};
    read_single(object, name, type_of<Number>(), &value);
    return value;
  }

 private:
  friend class Handle;
  /// Leaves the file and all in it open for good. HDF5 1.10 crashes, at once or at the program's
  /// end, after the closing of a file has failed for the reason that the writing did (disk full);
  /// not closing costs a file descriptor.
  void abandon() const;
  [[noreturn]] void fail(const std::string& action) const;
  void write_attribute(hid_t object, const std::string& name, hid_t type, const Shape& shape,
                       const void* data) const;
  void read_single(hid_t object, const std::string& name, hid_t type, void* value) const;

  std::filesystem::path path_;
  std::filesystem::path shown_;
  Mode mode_;
  hid_t id_ = H5I_INVALID_HID;
  mutable bool abandoned_ = false;
  mutable std::string reason_;  ///< for which it was abandoned
};

}  // namespace knudsen::hdf5
