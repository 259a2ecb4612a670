#include "geometry/text_file.hpp"

#include <fstream>
#include <iterator>

namespace knudsen {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace knudsen
