#include "output/hdf5_handle.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace knudsen::hdf5 {
namespace {

/// Once per program: stops HDF5 from printing messages and from closing files when the program ends
/// (see File::abandon).
void initialise() {
  [[maybe_unused]] static const bool done = [] {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
}

/// The reason of the last failure: the system's message if HDF5's error stack has one, else the
/// message of the innermost function.
std::string reason() {
  std::vector<std::string> descriptions;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        static_cast<std::vector<std::string>*>(data)->emplace_back(error->desc);
        return 0;
      },
      &descriptions);
  const std::string mark = "error message = '";
  for (const auto& description : descriptions) {
    if (const auto begin = description.find(mark); begin != std::string::npos) {
      const auto text = description.substr(begin + mark.size());
      return text.substr(0, text.find('\''));
    }
  }
  return descriptions.empty() ? "unknown reason" : descriptions.front();
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 128; });
}

}  // namespace

Handle::~Handle() {
  if (file_.abandoned_) return;
  const bool closed = close_(id_) >= 0;
  if (!closed && file_.mode_ == File::Mode::create) file_.abandon();
}

File::File(std::filesystem::path path, std::filesystem::path shown, Mode mode, bool checksummed)
    : path_(std::move(path)), shown_(std::move(shown)), mode_(mode) {
  initialise();
  const Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "set up the file access");
  if (checksummed) {
    check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), "choose the format");
  }
  // A rank that reads its part of an array needs little of what is beside it.
  constexpr std::size_t beside = 4096;  // bytes; by default 65536
  if (mode == Mode::read) check(H5Pset_sieve_buf_size(access, beside), "set up the file access");
  const Handle creation = creation_properties(H5P_FILE_CREATE);
  id_ = mode == Mode::create
            ? check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, access), "be written")
            : check(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access), "be read");
}

File::~File() {
  if (!abandoned_ && id_ >= 0) {
    // Without close() the content is not needed, but a file that cannot be flushed must stay open.
    if (mode_ == Mode::read || H5Fflush(id_, H5F_SCOPE_GLOBAL) >= 0) {
      H5Fclose(id_);
    } else {
      abandon();
    }
  }
  // Frees the disk space of an abandoned file. If that fails too, nothing can be done.
  if (abandoned_ && truncate(path_.c_str(), 0) != 0) return;
}

void File::close() {
  if (abandoned_) throw RunError(shown_.string() + ": cannot be written: " + reason_);
  check(H5Fflush(id_, H5F_SCOPE_GLOBAL), "be written");
  check(H5Fclose(std::exchange(id_, H5I_INVALID_HID)), "be written");
}

void File::abandon() const {
  abandoned_ = true;
  reason_ = reason();
}

void File::fail(const std::string& action) const {
  const std::string message = shown_.string() + ": cannot " + action + ": ";
  if (mode_ == Mode::read) throw InputError(message + reason());
  abandon();
  throw RunError(message + reason_);
}

Handle File::creation_properties(hid_t kind) const {
  const std::string action = "set up the creation of objects";
  const hid_t properties = check(H5Pcreate(kind), action);
  check(H5Pset_obj_track_times(properties, false), action);
  return own(properties, H5Pclose, action);
}

Handle File::create_group(hid_t parent, const std::string& name) const {
  const Handle properties = creation_properties(H5P_GROUP_CREATE);
  return own(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
             "write group '" + name + "'");
}

Handle File::open_group(hid_t parent, const std::string& name) const {
  return own(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "read group '" + name + "'");
}

Handle File::create_dataspace(const Shape& shape) const {
  return own(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
             "describe the shape of an array");
}

Handle File::create_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape,
                            hid_t properties) const {
  if (properties == H5P_DEFAULT) {
    return create_dataset(parent, name, type, shape, creation_properties(H5P_DATASET_CREATE));
  }
  const Handle space = create_dataspace(shape);
  return own(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
             H5Dclose, "write dataset '" + name + "'");
}

void File::write_attribute(hid_t object, const std::string& name, const std::string& text) const {
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, "describe a text");
  // HDF5 has no texts of length 0. Of an empty text the terminating zero is stored.
  check(H5Tset_size(type, std::max<std::size_t>(1, text.size())), "describe a text");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "describe a text");
  check(H5Tset_cset(type, is_ascii(text) ? H5T_CSET_ASCII : H5T_CSET_UTF8), "describe a text");
  write_attribute(object, name, type, {}, text.c_str());
}

void File::write_attribute(hid_t object, const std::string& name, hid_t type, const Shape& shape,
                           const void* data) const {
  const std::string action = "write attribute '" + name + "'";
  const Handle space = create_dataspace(shape);
  const Handle attribute = own(
      H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, action);
  check(H5Awrite(attribute, type, data), action);
}

bool File::has_attribute(hid_t object, const std::string& name) const {
  return check(H5Aexists(object, name.c_str()), "read attribute '" + name + "'") > 0;
}

std::vector<std::string> File::attribute_names(hid_t object) const {
  std::vector<std::string> names;
  check(H5Aiterate2(
            object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
            [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
              static_cast<std::vector<std::string>*>(data)->emplace_back(name);
              return 0;
            },
            &names),
        "list attributes");
  return names;
}

std::vector<std::string> File::link_names(hid_t group) const {
  std::vector<std::string> names;
  check(H5Literate(
            group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
            [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
              static_cast<std::vector<std::string>*>(data)->emplace_back(name);
              return 0;
            },
            &names),
        "list datasets");
  return names;
}

std::string File::read_text(hid_t object, const std::string& name) const {
  const std::string action = "read attribute '" + name + "'";
  const Handle attribute = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, action);
  const Handle type = own(H5Aget_type(attribute), H5Tclose, action);
  const Handle space = own(H5Aget_space(attribute), H5Sclose, action);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Sget_simple_extent_npoints(space) != 1) {
    throw InputError(shown_.string() + ": attribute '" + name + "' is not a text");
  }
  std::string text(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, text.data()), action);
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

void File::read_single(hid_t object, const std::string& name, hid_t type, void* value) const {
  const std::string action = "read attribute '" + name + "'";
  const Handle attribute = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, action);
  const Handle space = own(H5Aget_space(attribute), H5Sclose, action);
  const Handle stored = own(H5Aget_type(attribute), H5Tclose, action);
  if (H5Tequal(stored, type) <= 0 || H5Sget_simple_extent_npoints(space) != 1) {
    throw InputError(shown_.string() + ": attribute '" + name + "' is not a number as expected");
  }
  check(H5Aread(attribute, type, value), action);
}

}  // namespace knudsen::hdf5
