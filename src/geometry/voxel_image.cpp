#include "geometry/voxel_image.hpp"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "geometry/solid_keys.hpp"
#include "geometry/text_file.hpp"

namespace knudsen {

namespace {

using Size = std::array<std::int64_t, 3>;

/// How an image stores its numbers.
struct NumberType {
  std::size_t bytes = 1;
  bool is_signed = false;
  bool big_endian = false;

  std::int64_t read(const char* data) const {
    std::uint64_t value = 0;
    for (std::size_t index = 0; index < bytes; ++index) {
      value =
          (value << 8U) | static_cast<unsigned char>(data[big_endian ? index : bytes - 1 - index]);
    }
    const std::uint64_t sign_bit = std::uint64_t{1} << (8 * bytes - 1);
    const bool negative = is_signed && (value & sign_bit) != 0;
    return static_cast<std::int64_t>(value) -
           (negative ? static_cast<std::int64_t>(2 * sign_bit) : 0);
  }
};

/// The numbers of an image, x fastest, then y, then z.
struct Voxels {
  Size size;
  NumberType type;
  std::string data;
};

std::string size_text(const Size& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
         std::to_string(size[2]);
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char character) {
    return static_cast<char>(std::tolower(character));
  });
  return text;
}

std::string trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return "";
  return std::string(text.substr(start, text.find_last_not_of(" \t\r") - start + 1));
}

/// The header of an NRRD file. The constructor throws InputError for a header that is invalid or
/// not supported.
class NrrdHeader {
 public:
  NrrdHeader(const CaseNode& solid, std::string_view content) : solid_(solid) {
    parse(content);
    const std::string dimension = require("dimension");
    if (dimension != "3") refuse("dimension", dimension, "3");
    read_size();
    read_type();
    encoding_ = lower_case(require("encoding"));
    if (encoding_ != "raw" && encoding_ != "gzip" && encoding_ != "gz") {
      refuse("encoding", encoding_, "raw or gzip");
    }
    line_skip_ = read_skip("line skip", 0);
    byte_skip_ = read_skip("byte skip", encoding_ == "raw" ? -1 : 0);
  }

  const Size& size() const { return size_; }
  const NumberType& type() const { return type_; }
  bool is_compressed() const { return encoding_ != "raw"; }
  /// Name of the file with the numbers, relative to the header's directory; empty if they follow
  /// the header in the same file.
  std::string data_file() const { return field("data file").value_or(""); }
  /// Offset of the `bytes` of numbers in the content of the file that holds them.
  std::size_t data_start(std::string_view content, std::size_t bytes) const {
    std::size_t start = data_file().empty() ? end_ : 0;
    for (std::int64_t line = 0; line < line_skip_; ++line) {
      start = std::min(content.find('\n', start), content.size() - 1) + 1;
    }
    // A skip of -1 means that the numbers are at the end of the file.
    if (byte_skip_ < 0) return std::max(start, content.size() - std::min(content.size(), bytes));
    return std::min(start + static_cast<std::size_t>(byte_skip_), content.size());
  }

 private:
  void parse(std::string_view content) {
    std::size_t start = content.find('\n');
    while (start < content.size()) {
      const std::size_t end = std::min(content.find('\n', ++start), content.size());
      const std::string line = trimmed(content.substr(start, end - start));
      start = end;
      end_ = std::min(end + 1, content.size());
      if (line.empty()) return;
      const std::size_t colon = line.find(':');
      const bool is_key = line.compare(std::min(colon, line.size()), 2, ":=") == 0;
      if (line[0] == '#' || is_key) continue;
      if (colon == std::string::npos) {
        solid_.fail_hard("file", "but the header of that NRRD file has the line " +
                                     quote(line.substr(0, 40)) + ", which is not a field");
      }
      std::string name = lower_case(trimmed(line.substr(0, colon)));
      if (name == "datafile") name = "data file";
      if (name == "lineskip") name = "line skip";
      if (name == "byteskip") name = "byte skip";
      fields_[name] = trimmed(line.substr(colon + 1));
    }
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& value,
                           const std::string& allowed) const {
    solid_.fail_hard("file", "but field " + quote(name) + " of that NRRD file is " + quote(value) +
                                 ", must be " + allowed);
  }
  std::optional<std::string> field(const std::string& name) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) return {};
    return found->second;
  }
  std::string require(const std::string& name) const {
    const auto value = field(name);
    if (!value) {
      solid_.fail_hard("file", "but that NRRD file has no field " + quote(name));
    }
    return *value;
  }
  void read_size() {
    const std::string sizes = require("sizes");
    Words words(sizes);
    for (std::int64_t& voxels : size_) {
      const std::string_view word = words.next();
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), voxels);
      if (error != std::errc() || end != word.data() + word.size() || voxels < 1) {
        refuse("sizes", sizes, "three positive integers");
      }
    }
    if (!words.next().empty()) refuse("sizes", sizes, "three positive integers");
  }
  void read_type() {
    static const std::map<std::string, NumberType> types = {
        {"uchar", {1, false}},          {"unsigned char", {1, false}},
        {"uint8", {1, false}},          {"uint8_t", {1, false}},
        {"signed char", {1, true}},     {"int8", {1, true}},
        {"int8_t", {1, true}},          {"ushort", {2, false}},
        {"unsigned short", {2, false}}, {"unsigned short int", {2, false}},
        {"uint16", {2, false}},         {"uint16_t", {2, false}},
        {"short", {2, true}},           {"short int", {2, true}},
        {"signed short", {2, true}},    {"signed short int", {2, true}},
        {"int16", {2, true}},           {"int16_t", {2, true}}};
    const std::string name = require("type");
    const auto found = types.find(lower_case(name));
    if (found == types.end()) refuse("type", name, "an integer of 8 or 16 bits");
    type_ = found->second;
    if (type_.bytes == 1) return;
    const std::string endian = lower_case(require("endian"));
    if (endian != "big" && endian != "little") refuse("endian", endian, "big or little");
    type_.big_endian = endian == "big";
  }
  std::int64_t read_skip(const std::string& name, std::int64_t least) const {
    const std::string text = field(name).value_or("0");
    std::int64_t skip = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), skip);
    if (error != std::errc() || end != text.data() + text.size() || skip < least) {
      refuse(name, text, "an integer of " + std::to_string(least) + " or more");
    }
    return skip;
  }

  const CaseNode& solid_;
  std::map<std::string, std::string> fields_;
  std::size_t end_ = 0;  ///< offset of what follows the header
  Size size_{};
  NumberType type_;
  std::string encoding_;
  std::int64_t line_skip_ = 0;
  std::int64_t byte_skip_ = 0;
};

/// Decompresses gzip data, up to one byte more than `wanted`, so that excess shows. Empty if they
/// are damaged.
std::string inflate_gzip(std::string_view compressed, std::size_t wanted) {
  std::string data(wanted + 1, '\0');
  z_stream stream{};
  constexpr int gzip_only = 16;
  if (inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK) return {};
  std::size_t read = 0;
  std::size_t written = 0;
  int status = Z_OK;
  // zlib counts in 32 bits, so that larger data are passed in portions.
  constexpr std::size_t max_portion = 1U << 30U;
  while (status == Z_OK && written < data.size()) {
    const std::size_t input = std::min(compressed.size() - read, max_portion);
    const std::size_t output = std::min(data.size() - written, max_portion);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data() + read));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(data.data() + written);
    stream.avail_out = static_cast<uInt>(output);
    status = inflate(&stream, Z_NO_FLUSH);
    read += input - stream.avail_in;
    written += output - stream.avail_out;
  }
  inflateEnd(&stream);
  data.resize(status == Z_OK || status == Z_STREAM_END ? written : 0);
  return data;
}

std::size_t bytes_of(const Size& size, const NumberType& type) {
  return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
         static_cast<std::size_t>(size[2]) * type.bytes;
}

/// The position of the image in the domain.
class Placing {
 public:
  Placing(CaseNode& solid, const std::array<int, 3>& domain) : solid_(solid) {
    std::copy(domain.begin(), domain.end(), domain_.begin());
    const auto at =
        solid.integers("at", 3,
                       "Node [x, y, z], counted from 0, at which the image's first voxel is "
                       "placed. Without it the image must have the size of the domain.",
                       Range::at_least(0));
    given_ = at.has_value();
    if (given_) std::copy(at->begin(), at->end(), at_.begin());
  }

  const Size& domain() const { return domain_; }
  const Size& at() const { return at_; }
  void check(const Size& size) const {
    const auto fits = [&](std::size_t axis) { return size[axis] <= domain_[axis] - at_[axis]; };
    if (!given_ && size != domain_) {
      solid_.fail_hard("file", "but that image has " + size_text(size) +
                                   " voxels, must have a voxel for each of the " +
                                   size_text(domain_) +
                                   " nodes of the domain (a smaller one needs the key \"at\")");
    }
    if (!fits(0) || !fits(1) || !fits(2)) {
      solid_.fail_hard("at", "an image of " + size_text(size) + " voxels does not fit there into " +
                                 "the domain of " + size_text(domain_) + " nodes");
    }
  }

 private:
  const CaseNode& solid_;
  Size domain_{};
  Size at_{0, 0, 0};
  bool given_ = false;
};

Voxels read_nrrd(const CaseNode& solid, const std::filesystem::path& file, std::string content,
                 const Placing& placing) {
  const NrrdHeader header(solid, content);
  // Checked before any memory of that size is allocated.
  placing.check(header.size());
  if (!header.data_file().empty()) {
    const std::filesystem::path data_file = file.parent_path() / header.data_file();
    if (!std::filesystem::is_regular_file(data_file)) {
      solid.fail_hard("file", "but the data file " + quote(header.data_file()) +
                                  " that this NRRD header names cannot be found beside it");
    }
    content = read_whole(data_file);
  }
  const std::size_t wanted = bytes_of(header.size(), header.type());
  std::string data = content.substr(header.data_start(content, wanted));
  if (header.is_compressed()) {
    data = inflate_gzip(data, wanted);
    if (data.empty()) solid.fail_hard("file", "but the gzip data of that NRRD file are damaged");
  }
  if (data.size() < wanted) {
    solid.fail_hard("file", "but the data of that NRRD file end after " +
                                std::to_string(data.size()) + " of " + std::to_string(wanted) +
                                " bytes");
  }
  if (data.size() > wanted) {
    solid.fail_hard("file", "but that NRRD file has more than the " + std::to_string(wanted) +
                                " bytes of data that its header states");
  }
  return {header.size(), header.type(), std::move(data)};
}

Voxels read_raw(const CaseNode& solid, std::string content, const Size& size,
                const NumberType& type, const Placing& placing) {
  placing.check(size);
  const std::size_t wanted = bytes_of(size, type);
  if (content.size() != wanted) {
    solid.fail_hard("file", "but that raw image has " + std::to_string(content.size()) +
                                " bytes, must have the " + std::to_string(wanted) + " of " +
                                size_text(size) + " numbers of " + std::to_string(8 * type.bytes) +
                                " bits");
  }
  return {size, type, std::move(content)};
}

}  // namespace

std::vector<bool> read_voxel_image(CaseNode& solid, const std::array<int, 3>& size) {
  const std::filesystem::path file = solid.require_file(
      "file",
      "Image file with one voxel for each node. Either an NRRD file (integers of 8 or 16 bits, raw "
      "or gzip), whose header gives size and type, or a raw file of integers, x fastest, then y, "
      "then z, described by `type`, `endian` and `size`.");
  const std::string raw_type =
      solid.choice_or("type", "uint8", {"uint8", "uint16"}, "Integer type of a raw image.");
  const std::string raw_endian =
      solid.choice_or("endian", "little", {"little", "big"}, "Byte order of a raw image.");
  const auto raw_size = solid.integers(
      "size", 3, "Number of voxels [x, y, z] of a raw image. Default: the nodes of the domain.",
      Range::at_least(1));
  const std::int64_t threshold =
      solid.integer_or("threshold", 1, "Smallest value of a high voxel; voxels below it are low.");
  const bool high_is_solid = solid.choice_or("solid", "high", {"high", "low"},
                                             "Whether high or low voxels are solid.") == "high";
  const Placing placing(solid, size);
  if (!builds_solids(solid, size)) return {};

  std::string content = read_whole(file);
  Voxels voxels;
  if (content.starts_with("NRRD000")) {
    for (const char* key : {"type", "endian", "size"}) {
      if (solid.has(key))
        solid.fail_hard(key, "is for raw images only; an NRRD file has this in its header");
    }
    voxels = read_nrrd(solid, file, std::move(content), placing);
  } else {
    Size told = placing.domain();
    if (raw_size) std::copy(raw_size->begin(), raw_size->end(), told.begin());
    const NumberType type{raw_type == "uint8" ? std::size_t{1} : std::size_t{2}, false,
                          raw_endian == "big"};
    voxels = read_raw(solid, std::move(content), told, type, placing);
  }

  const Size& at = placing.at();
  std::vector<bool> nodes(static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
                          static_cast<std::size_t>(size[2]));
  const char* voxel = voxels.data.data();
  for (std::int64_t z = at[2]; z < at[2] + voxels.size[2]; ++z) {
    for (std::int64_t y = at[1]; y < at[1] + voxels.size[1]; ++y) {
      const auto node = nodes.begin() + (z * size[1] + y) * size[0] + at[0];
      for (std::int64_t x = 0; x < voxels.size[0]; ++x, voxel += voxels.type.bytes) {
        node[x] = (voxels.type.read(voxel) >= threshold) == high_is_solid;
      }
    }
  }
  return nodes;
}

}  // namespace knudsen
