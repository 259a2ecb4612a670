#pragma once

// Internal: a thin layer over HDF5's C interface that closes what it opens and throws an exception
// with the file's name and a plain reason on every failure.

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace knudsen::hdf5 {

class File;
using Shape = std::vector<hsize_t>;

/// An open HDF5 object other than a file, closed by the destructor.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(const File& file, hid_t id, Close close) : file_(file), id_(id), close_(close) {}
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: a handle is used as its identifier

 private:
  const File& file_;
  hid_t id_;
  Close close_;
};

/// The HDF5 type of a number, in memory and in files.
template <class Number>
hid_t type_of() {
  if constexpr (std::is_same_v<Number, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<Number, std::uint16_t>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<Number, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<Number, std::uint64_t>) return H5T_NATIVE_UINT64;
}

/// An open HDF5 file. Failures throw RunError in mode `create` and InputError in mode `read`.
class File {
 public:
  enum class Mode { create, read };

  /// Messages call the file `shown`. `checksummed` selects the newer file layout, in which HDF5
  /// protects its own structures by checksums.
  File(std::filesystem::path path, std::filesystem::path shown, Mode mode,
       bool checksummed = false);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  hid_t id() const { return id_; }
  const std::filesystem::path& shown() const { return shown_; }
  /// Flushes and closes the file. Throws also if an object in it failed to be written earlier, when
  /// it was closed.
  void close();

  /// Returns the result of a call of HDF5, or throws "file: cannot `action`: reason" if it failed.
  template <class Result>
  Result check(Result result, const std::string& action) const {
    if (result < 0) fail(action);
    return result;
  }
  /// The same for an object that was opened or created, which `close` closes.
  Handle own(hid_t id, Handle::Close close, const std::string& action) const {
    return {*this, check(id, action), close};
  }

  /// Properties for creating an object of this kind, without a time stamp, so that equal content
  /// gives equal files byte for byte.
  Handle creation_properties(hid_t kind) const;
  Handle create_group(hid_t parent, const std::string& name) const;
  Handle open_group(hid_t parent, const std::string& name) const;
  /// `properties` must come from creation_properties(H5P_DATASET_CREATE). An empty shape stands for
  /// a single value.
  Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape,
                        hid_t properties = H5P_DEFAULT) const;
  Handle create_dataspace(const Shape& shape) const;
  /// Writes a whole dataset, with the attribute `unit` if that is not empty.
  template <class Number>
  void write_dataset(hid_t parent, const std::string& name, const Shape& shape,
                     const Number* values, const std::string& unit = "") const {
    const Handle dataset = create_dataset(parent, name, type_of<Number>(), shape);
    check(H5Dwrite(dataset, type_of<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
          "write dataset '" + name + "'");
    if (!unit.empty()) write_attribute(dataset, "unit", unit);
  }

  /// Writes a text of fixed length, marked as ASCII if it is that, else as UTF-8.
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
  /// Leaves the file and all objects in it open for good, at the cost of a file descriptor.
  /// HDF5 1.10 crashes, at once or when the program ends, if a file is closed that could not be
  /// written, such as on a full disk.
  void abandon() const;
  [[noreturn]] void fail(const std::string& action) const;
  void write_attribute(hid_t object, const std::string& name, hid_t type, const Shape& shape,
                       const void* data) const;
  void read_single(hid_t object, const std::string& name, hid_t type, void* value) const;

  std::filesystem::path path_;
  std::filesystem::path shown_;  ///< the name in messages
  Mode mode_;
  hid_t id_ = H5I_INVALID_HID;
  mutable bool abandoned_ = false;
  mutable std::string reason_;  ///< why it was abandoned
};

}  // namespace knudsen::hdf5
