#include "output/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "device/host_parallel.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_handle.hpp"
#include "output/shared_part.hpp"
#include "parallel/communicator.hpp"
#include "parallel/together.hpp"

#define XXH_INLINE_ALL
#ifdef __AVX512F__
// GCC 12 warns about uninitialised values in its own AVX-512 header. AVX2 gives the same checksums
// and is still faster than any disk.
#define XXH_VECTOR XXH_AVX2
#endif
#include <xxhash.h>

namespace knudsen {
namespace {

const std::string format_name = "knudsen-checkpoint-2";
const std::string format_before = "knudsen-checkpoint-1";  // can be read
const std::string format_family = "knudsen-checkpoint-";

// HDF5 attributes of the file's root.
constexpr auto format_key = "format";
constexpr auto method_key = "method";
constexpr auto digest_key = "case_digest";
constexpr auto step_key = "step";
constexpr auto checksum_key = "xxh3_64";  // of the file; in the format before also of each array
constexpr auto sum_key = "sum_64";        // of each array
// HDF5 groups: the first three hold attributes, the last one holds datasets.
constexpr auto numbers_group = "numbers";
constexpr auto integers_group = "integers";
constexpr auto texts_group = "texts";
constexpr auto arrays_group = "arrays";

template <class Number>
std::string type_name() {
  if constexpr (std::is_same_v<Number, float>) return "float32";
  if constexpr (std::is_same_v<Number, double>) return "float64";
  if constexpr (std::is_same_v<Number, std::uint16_t>) return "uint16";
  if constexpr (std::is_same_v<Number, std::int64_t>) return "int64";
}

/// What a checkpoint states about an array, apart from its values.
struct ArrayFacts {
  std::string type;
  std::vector<std::size_t> shape;
  std::uint64_t checksum = 0;

  std::string text() const {
    std::string result = type + " [";
    for (std::size_t i = 0; i < shape.size(); ++i) {
      result += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return result + "]";
  }
};

/// Everything in a checkpoint except the arrays' values.
struct Contents {
  std::string format = format_name;
  std::string method;
  std::string case_digest;
  std::int64_t step = 0;
  std::map<std::string, double> numbers;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, std::string> texts;
  std::map<std::string, ArrayFacts> arrays;

  std::uint64_t checksum() const {
    std::string all;
    // Lengths are included, so that different contents never give the same bytes.
    const auto add_text = [&all](const std::string& text) {
      all += std::to_string(text.size()) + ':' + text;
    };
    const auto add_number = [&all](auto value) {
      char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      all.append(bytes, sizeof value);
    };
    const auto add_map = [&](const auto& map, const auto& add_value) {
      add_number(map.size());
      for (const auto& [name, value] : map) {
        add_text(name);
        add_value(value);
      }
    };
    add_text(format);
    add_text(method);
    add_text(case_digest);
    add_number(step);
    add_map(numbers, add_number);
    add_map(integers, add_number);
    add_map(texts, add_text);
    add_map(arrays, [&](const ArrayFacts& facts) {
      add_text(facts.text());
      add_number(facts.checksum);
    });
    return XXH3_64bits(all.data(), all.size());
  }
};

std::size_t size_of(const std::vector<std::size_t>& shape) {
  std::size_t size = 1;
  for (const auto extent : shape) size *= extent;
  return size;
}

/// The part of an array's checksum that numbers contribute, of which the first is in place `at` of
/// the array. The checksum is the sum, so that ranks need not know each other's numbers.
template <class Number>
std::uint64_t sum_of_block(const Number* numbers, std::size_t count, std::size_t at) {
  using Bits =
      std::conditional_t<sizeof(Number) == 8, std::uint64_t,
                         std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint16_t>>;
  static_assert(sizeof(Bits) == sizeof(Number));
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t multiplier = 0xd6e8feb86659fd93;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, &numbers[i], sizeof bits);
    // Every number of 64 bits has one image: a single number that changes always changes the sum.
    std::uint64_t mixed = bits ^ ((at + i + 1) * golden_ratio);
    for (int round = 0; round < 2; ++round) mixed = (mixed ^ (mixed >> 32)) * multiplier;
    sum += mixed ^ (mixed >> 32);
  }
  return sum;
}

/// The same by the threads of the host.
template <class Number>
std::uint64_t sum_of(const Number* numbers, std::size_t count, std::size_t at) {
  constexpr std::size_t block = std::size_t{1} << 17;
  if (count <= block) return sum_of_block(numbers, count, at);
  std::vector<std::uint64_t> sums((count + block - 1) / block);
  parallel_for_host("knudsen/output/checksum", static_cast<std::int64_t>(sums.size()),
                    [&](std::int64_t i) {
                      const std::size_t begin = static_cast<std::size_t>(i) * block;
                      sums[static_cast<std::size_t>(i)] =
                          sum_of_block(numbers + begin, std::min(block, count - begin), at + begin);
                    });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

template <class Value>
const Value& find(const std::map<std::string, Value>& map, const std::string& name,
                  const std::string& kind, const std::filesystem::path& path) {
  const auto found = map.find(name);
  if (found == map.end()) {
    throw InputError(path.string() + ": this checkpoint holds no " + kind + " '" + name + "'");
  }
  return found->second;
}

}  // namespace

struct CheckpointWriter::Implementation {
  AtomicFile target;
  hdf5::File file;
  Contents contents;

  explicit Implementation(const std::filesystem::path& path)
      : target(path), file(target.temporary(), path, hdf5::File::Mode::create, true) {
    file.create_group(file.id(), arrays_group);
  }

  /// write(dataset) writes the numbers and returns their checksum.
  template <class Number, class Write>
  void array(const std::string& name, const std::vector<std::size_t>& shape, const Write& write) {
    const auto group = file.open_group(file.id(), arrays_group);
    // The place of the numbers must be known before they are written; HDF5 writes none itself.
    const auto properties = file.creation_properties(H5P_DATASET_CREATE);
    file.check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), "set up an array");
    file.check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), "set up an array");
    const auto dataset = file.create_dataset(group, name, hdf5::type_of<Number>(),
                                             hdf5::Shape(shape.begin(), shape.end()), properties);
    const ArrayFacts facts{type_name<Number>(), shape, write(dataset)};
    file.write_attribute(dataset, sum_key, facts.checksum);
    contents.arrays[name] = facts;
  }

  template <class Number>
  void whole_array(const std::string& name, const Number* data,
                   const std::vector<std::size_t>& shape) {
    array<Number>(name, shape, [&](const hdf5::Handle& dataset) {
      file.check(H5Dwrite(dataset, hdf5::type_of<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
                 "write array '" + name + "'");
      return sum_of(data, size_of(shape), 0);
    });
  }

  template <class Value>
  void write_group(const std::string& name, const std::map<std::string, Value>& values) {
    const auto group = file.create_group(file.id(), name);
    for (const auto& [key, value] : values) file.write_attribute(group, key, value);
  }

  void commit() {
    write_group(numbers_group, contents.numbers);
    write_group(integers_group, contents.integers);
    write_group(texts_group, contents.texts);
    file.write_attribute(file.id(), format_key, format_name);
    file.write_attribute(file.id(), method_key, contents.method);
    file.write_attribute(file.id(), digest_key, contents.case_digest);
    file.write_attribute(file.id(), step_key, contents.step);
    file.write_attribute(file.id(), checksum_key, contents.checksum());
    file.close();
    target.commit();
  }
};

CheckpointWriter::CheckpointWriter(const std::filesystem::path& path, const std::string& method,
                                   const std::string& case_digest, std::int64_t step)
    : implementation_(std::make_unique<Implementation>(path)) {
  implementation_->contents.method = method;
  implementation_->contents.case_digest = case_digest;
  implementation_->contents.step = step;
}

CheckpointWriter::CheckpointWriter() = default;
CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::number(const std::string& name, double value) {
  if (implementation_) implementation_->contents.numbers[name] = value;
}
void CheckpointWriter::integer(const std::string& name, std::int64_t value) {
  if (implementation_) implementation_->contents.integers[name] = value;
}
void CheckpointWriter::text(const std::string& name, const std::string& value) {
  if (implementation_) implementation_->contents.texts[name] = value;
}
void CheckpointWriter::array(const std::string& name, const float* data,
                             const std::vector<std::size_t>& shape) {
  if (implementation_) implementation_->whole_array(name, data, shape);
}
void CheckpointWriter::array(const std::string& name, const double* data,
                             const std::vector<std::size_t>& shape) {
  if (implementation_) implementation_->whole_array(name, data, shape);
}
void CheckpointWriter::array(const std::string& name, const std::uint16_t* data,
                             const std::vector<std::size_t>& shape) {
  if (implementation_) implementation_->whole_array(name, data, shape);
}
void CheckpointWriter::array(const std::string& name, const std::int64_t* data,
                             const std::vector<std::size_t>& shape) {
  if (implementation_) implementation_->whole_array(name, data, shape);
}
template <class Number>
void CheckpointWriter::shared_array(
    const std::string& name, const std::vector<std::size_t>& shape, const ForRuns& for_runs,
    const std::function<void(std::size_t, std::size_t, Number*)>& copy) {
  const auto write_own = [&](const std::filesystem::path& file, const std::filesystem::path& shown,
                             std::uint64_t begin) {
    SharedPart part(file, shown, begin);
    const std::size_t piece = std::max<std::size_t>(part.piece_bytes() / sizeof(Number), 1);
    std::vector<Number> values;
    std::vector<std::uint64_t> sum{0};
    for_runs([&](std::size_t at, std::size_t count, std::size_t place) {
      for (const std::size_t end = at + count; at < end;) {
        const std::size_t now = std::min(piece, end - at);
        values.resize(std::max(values.size(), now));
        copy(place, now, values.data());
        sum[0] += sum_of(std::as_const(values).data(), now, at);
        part.write(at * sizeof(Number), values.data(), now * sizeof(Number));
        at += now;
        place += now;
      }
    });
    part.finish();
    world().sum(sum);
    return sum[0];
  };
  if (size_of(shape) == 0) {  // which has no place in the file
    if (implementation_) implementation_->whole_array<Number>(name, nullptr, shape);
  } else if (!implementation_) {
    write_own({}, {}, 0);
  } else {
    const Implementation& own = *implementation_;
    implementation_->array<Number>(name, shape, [&](const hdf5::Handle& dataset) {
      const haddr_t begin = H5Dget_offset(dataset);
      if (begin == HADDR_UNDEF)
        throw RunError(own.target.path().string() + ": HDF5 gives array '" + name + "' no place");
      return write_own(own.target.temporary(), own.target.path(), begin);
    });
  }
}
void CheckpointWriter::commit() { implementation_->commit(); }

namespace {

/// Throws InputError for a path that is not an HDF5 file, for which HDF5's own messages are
/// cryptic. Returns the path.
const std::filesystem::path& require_hdf5(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError(path.string() + ": " + reason);
  };
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse("no such checkpoint");
  if (!std::filesystem::is_regular_file(path, error)) {
    refuse("is a directory or a device, not a checkpoint");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse("cannot be opened for reading");
  const std::string signature = "\x89HDF\r\n\x1a\n";
  std::string start(signature.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (stream.gcount() == 0) refuse("is empty, not a checkpoint");
  if (start != signature) refuse("is not an HDF5 file, so not a checkpoint");
  return path;
}

ArrayFacts read_array_facts(const hdf5::File& file, hid_t arrays, const std::string& name,
                            const std::string& format) {
  const std::string action = "read array '" + name + "'";
  const auto dataset = file.own(H5Dopen2(arrays, name.c_str(), H5P_DEFAULT), H5Dclose, action);
  const auto space = file.own(H5Dget_space(dataset), H5Sclose, action);
  const auto type = file.own(H5Dget_type(dataset), H5Tclose, action);
  hdf5::Shape shape(
      static_cast<std::size_t>(file.check(H5Sget_simple_extent_ndims(space), action)));
  file.check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), action);

  ArrayFacts facts{"unknown type", {shape.begin(), shape.end()}, 0};
  const auto recognise = [&]<class Number>(Number) {
    if (H5Tequal(type, hdf5::type_of<Number>()) > 0) facts.type = type_name<Number>();
  };
  recognise(float{});
  recognise(double{});
  recognise(std::uint16_t{});
  recognise(std::int64_t{});
  facts.checksum =
      file.read_number<std::uint64_t>(dataset, format == format_before ? checksum_key : sum_key);
  return facts;
}

Contents read_contents(const hdf5::File& file) {
  const std::string shown = file.shown().string();
  if (!file.has_attribute(file.id(), format_key)) {
    throw InputError(shown + ": is an HDF5 file, but not a Knudsen checkpoint");
  }
  const std::string format = file.read_text(file.id(), format_key);
  if (format != format_name && format != format_before) {
    throw InputError(shown + ": has the format '" + format + "', this version reads '" +
                     format_name + "' and '" + format_before + "' only" +
                     (format.starts_with(format_family) ? " (written by another version)" : ""));
  }
  Contents contents;
  contents.format = format;
  contents.method = file.read_text(file.id(), method_key);
  contents.case_digest = file.read_text(file.id(), digest_key);
  contents.step = file.read_number<std::int64_t>(file.id(), step_key);
  const auto numbers = file.open_group(file.id(), numbers_group);
  for (const auto& name : file.attribute_names(numbers)) {
    contents.numbers[name] = file.read_number<double>(numbers, name);
  }
  const auto integers = file.open_group(file.id(), integers_group);
  for (const auto& name : file.attribute_names(integers)) {
    contents.integers[name] = file.read_number<std::int64_t>(integers, name);
  }
  const auto texts = file.open_group(file.id(), texts_group);
  for (const auto& name : file.attribute_names(texts)) {
    contents.texts[name] = file.read_text(texts, name);
  }
  const auto arrays = file.open_group(file.id(), arrays_group);
  for (const auto& name : file.link_names(arrays)) {
    contents.arrays[name] = read_array_facts(file, arrays, name, format);
  }
  if (contents.checksum() != file.read_number<std::uint64_t>(file.id(), checksum_key)) {
    throw InputError(shown + ": is damaged: the checksum over its names and values is wrong");
  }
  return contents;
}

/// How many of `count` numbers from place `begin` of an array are read at once: about `piece`, and
/// either within a row, all numbers with one first index, or whole rows. Rows of more than two
/// dimensions are never cut.
std::size_t size_of_piece(const std::vector<std::size_t>& shape, std::size_t piece,
                          std::size_t begin, std::size_t count) {
  const std::size_t row = size_of(shape) / shape[0];
  const std::size_t now = std::min(piece, count);
  if (shape.size() > 2) return std::max<std::size_t>(now / row, 1) * row;
  const std::size_t place = begin % row;
  if (place + now <= row) return now;
  return place == 0 ? now / row * row : row - place;
}

/// Adjacent numbers, see ForRuns.
struct Run {
  std::size_t at = 0, count = 0, place = 0;
};

}  // namespace

struct CheckpointReader::Implementation {
  std::filesystem::path path;
  hdf5::File file;
  Contents contents;

  explicit Implementation(std::filesystem::path file_path)
      : path(std::move(file_path)),
        file(require_hdf5(path), path, hdf5::File::Mode::read),
        contents(read_contents(file)) {}

  bool has_sums() const { return contents.format == format_name; }

  /// Throws InputError unless the array has this type and shape.
  template <class Number>
  ArrayFacts facts_of(const std::string& name, const std::vector<std::size_t>& shape) const {
    // A copy, since GCC 13 mistakes a reference here for one to a temporary and warns.
    ArrayFacts stored = find(contents.arrays, name, "array", path);
    const ArrayFacts asked{type_name<Number>(), shape, 0};
    if (asked.text() != stored.text()) {
      throw InputError(path.string() + ": array '" + name + "' is " + stored.text() +
                       ", this case needs " + asked.text());
    }
    return stored;
  }
  void require_checksum(const std::string& name, std::uint64_t found) const {
    if (found == find(contents.arrays, name, "array", path).checksum) return;
    throw InputError(path.string() + ": is damaged: the checksum of array '" + name + "' is wrong");
  }

  /// An array to be read. read(begin, count, data) reads a piece, see size_of_piece.
  template <class Number>
  class OpenArray {
   public:
    OpenArray(const Implementation& of, const std::string& name,
              const std::vector<std::size_t>& shape)
        : file_(of.file),
          stored_(of.facts_of<Number>(name, shape)),
          action_("read array '" + name + "'"),
          group_(file_.open_group(file_.id(), arrays_group)),
          dataset_(file_.own(H5Dopen2(group_, name.c_str(), H5P_DEFAULT), H5Dclose, action_)),
          selection_(file_.create_dataspace(hdf5::Shape(shape.begin(), shape.end()))) {}
    void read(std::size_t begin, std::size_t count, Number* data) const {
      const std::vector<std::size_t>& shape = stored_.shape;
      const std::size_t row = size_of(shape) / shape[0];
      hdf5::Shape start(shape.size(), 0);
      hdf5::Shape extent(shape.begin(), shape.end());
      start[0] = begin / row;
      extent[0] = std::max<std::size_t>(count / row, 1);
      if (count < row) {
        start[1] = begin % row;
        extent[1] = count;
      }
      const auto memory = file_.create_dataspace({count});
      file_.check(H5Sselect_hyperslab(selection_, H5S_SELECT_SET, start.data(), nullptr,
                                      extent.data(), nullptr),
                  action_);
      file_.check(H5Dread(dataset_, hdf5::type_of<Number>(), memory, selection_, H5P_DEFAULT, data),
                  action_);
    }

   private:
    const hdf5::File& file_;
    ArrayFacts stored_;
    std::string action_;
    hdf5::Handle group_, dataset_, selection_;
  };

  template <class Number>
  void whole_array(const std::string& name, Number* data,
                   const std::vector<std::size_t>& shape) const {
    const OpenArray<Number> array(*this, name, shape);
    const std::size_t size = size_of(shape);
    if (size > 0) array.read(0, size, data);
    require_checksum(name,
                     has_sums() ? sum_of(data, size, 0) : XXH3_64bits(data, size * sizeof(Number)));
  }
};

CheckpointReader::CheckpointReader(const std::filesystem::path& path)
    : implementation_(std::make_unique<Implementation>(path)) {}

CheckpointReader::~CheckpointReader() = default;

const std::filesystem::path& CheckpointReader::path() const { return implementation_->path; }
const std::string& CheckpointReader::method() const { return implementation_->contents.method; }
const std::string& CheckpointReader::case_digest() const {
  return implementation_->contents.case_digest;
}
std::uint64_t CheckpointReader::checksum() const { return implementation_->contents.checksum(); }
std::int64_t CheckpointReader::step() const { return implementation_->contents.step; }
double CheckpointReader::number(const std::string& name) const {
  return find(implementation_->contents.numbers, name, "number", path());
}
std::int64_t CheckpointReader::integer(const std::string& name) const {
  return find(implementation_->contents.integers, name, "integer", path());
}
std::string CheckpointReader::text(const std::string& name) const {
  return find(implementation_->contents.texts, name, "text", path());
}
bool CheckpointReader::has_number(const std::string& name) const {
  return implementation_->contents.numbers.contains(name);
}
bool CheckpointReader::has_text(const std::string& name) const {
  return implementation_->contents.texts.contains(name);
}
bool CheckpointReader::has_array(const std::string& name,
                                 const std::vector<std::size_t>& shape) const {
  const auto& arrays = implementation_->contents.arrays;
  const auto found = arrays.find(name);
  return found != arrays.end() && found->second.shape == shape;
}
void CheckpointReader::array(const std::string& name, float* data,
                             const std::vector<std::size_t>& shape) const {
  implementation_->whole_array(name, data, shape);
}
void CheckpointReader::array(const std::string& name, double* data,
                             const std::vector<std::size_t>& shape) const {
  implementation_->whole_array(name, data, shape);
}
void CheckpointReader::array(const std::string& name, std::uint16_t* data,
                             const std::vector<std::size_t>& shape) const {
  implementation_->whole_array(name, data, shape);
}
void CheckpointReader::array(const std::string& name, std::int64_t* data,
                             const std::vector<std::size_t>& shape) const {
  implementation_->whole_array(name, data, shape);
}

template <class Number>
void CheckpointReader::shared_array(
    const std::string& name, const std::vector<std::size_t>& shape, const ForRuns& for_runs,
    const std::function<void(std::size_t, std::size_t, const Number*)>& take) const {
  using OpenArray = Implementation::OpenArray<Number>;
  constexpr std::size_t near = 65536 / sizeof(Number);  // to read these takes less than a request
  std::optional<OpenArray> array;
  std::vector<Number> values;
  std::vector<std::uint64_t> sum{0};
  const std::size_t size = size_of(shape);
  const std::size_t row = size > 0 ? size / shape[0] : 0;
  const std::size_t piece = world().piece_of<Number>(size);
  // Calls body(begin, count) for pieces of [begin, end) that are in `values`.
  const auto for_pieces = [&](std::size_t begin, std::size_t end, const auto& body) {
    for (std::size_t count = 0; begin < end; begin += count) {
      count = size_of_piece(shape, piece, begin, end - begin);
      values.resize(std::max(values.size(), count));
      array->read(begin, count, values.data());
      body(begin, count);
    }
  };
  // Calls `take` for that part of a run that is in such a piece.
  const auto take_part = [&](const Run& run, std::size_t begin, std::size_t count) {
    const std::size_t from = std::max(run.at, begin);
    const std::size_t to = std::min(run.at + run.count, begin + count);
    if (from >= to) return;
    const Number* const found = values.data() + (from - begin);
    take(run.place + from - run.at, to - from, found);
    sum[0] += sum_of(found, to - from, from);
  };
  const auto read_runs = [&] {
    std::vector<Run> span;  // runs that are near each other, one after the other
    const auto read_span = [&] {
      if (span.empty()) return;
      for_pieces(span.front().at, span.back().at + span.back().count,
                 [&](std::size_t begin, std::size_t count) {
                   for (const Run& run : span) take_part(run, begin, count);
                 });
      span.clear();
    };
    for_runs([&](std::size_t at, std::size_t count, std::size_t place) {
      if (count == 0) return;
      if (shape.size() > 2 && (at % row != 0 || count % row != 0)) {
        throw std::logic_error("array '" + name + "': a run is not of whole rows");
      }
      if (!span.empty()) {
        const std::size_t begin = span.front().at;
        Run& last = span.back();
        const std::size_t end = last.at + last.count;
        const bool goes_on = at == end && place == last.place + last.count;
        const bool within = shape.size() <= 2 && at + count <= begin + piece &&
                            begin / row == (at + count - 1) / row;
        if (goes_on && (span.size() == 1 || within)) {
          last.count += count;
          return;
        }
        if (within && at >= end && at - end <= near) {
          span.push_back({at, count, place});
          return;
        }
      }
      read_span();
      span.push_back({at, count, place});
    });
    read_span();
  };
  const auto read_all = [&] {
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    for_pieces(0, size, [&](std::size_t begin, std::size_t count) {
      XXH3_64bits_update(&hash, values.data(), count * sizeof(Number));
      for_runs([&](std::size_t at, std::size_t of_run, std::size_t place) {
        take_part({at, of_run, place}, begin, count);
      });
    });
    implementation_->require_checksum(name, XXH3_64bits_digest(&hash));
  };
  together([&] {
    array.emplace(*implementation_, name, shape);
    if (implementation_->has_sums()) {
      read_runs();
    } else {
      read_all();
    }
  });
  world().sum(sum);
  together([&] {
    if (implementation_->has_sums()) implementation_->require_checksum(name, sum[0]);
  });
}

#define KNUDSEN_INSTANTIATE(Number)                                        \
  template void CheckpointWriter::shared_array(                            \
      const std::string&, const std::vector<std::size_t>&, const ForRuns&, \
      const std::function<void(std::size_t, std::size_t, Number*)>&);      \
  template void CheckpointReader::shared_array(                            \
      const std::string&, const std::vector<std::size_t>&, const ForRuns&, \
      const std::function<void(std::size_t, std::size_t, const Number*)>&) const;
KNUDSEN_INSTANTIATE(float)
KNUDSEN_INSTANTIATE(double)
KNUDSEN_INSTANTIATE(std::uint16_t)

}  // namespace knudsen
