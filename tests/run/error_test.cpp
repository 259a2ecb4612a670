#include "core/error.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

namespace knudsen {
namespace {

TEST(ErrorText, OurOwnStayAsTheyAre) {
  EXPECT_EQ(error_text(InputError("a.json: b: found 3, must be 4")),
            "a.json: b: found 3, must be 4");
  EXPECT_EQ(error_text(RunError("diverged: step 3")), "diverged: step 3");
}

TEST(ErrorText, MemoryThatIsNotThere) {
  const std::string expected = "out of memory; `knudsen validate` shows what a case needs";
  EXPECT_EQ(error_text(std::bad_alloc()), expected);
  EXPECT_EQ(error_text(std::runtime_error(
                "Kokkos failed to allocate memory for label \"f\".  Allocation using MemorySpace "
                "named \"Host\" failed")),
            expected);
}

TEST(ErrorText, OtherLibrariesLoseTheirMarks) {
  try {
    static_cast<void>(std::filesystem::last_write_time("/nowhere/at/all"));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_EQ(error_text(error),
              "/nowhere/at/all: cannot be read or written: No such file or directory");
  }
  try {
    nlohmann::json("a\xff").dump();
    FAIL();
  } catch (const std::exception& error) {
    const std::string text = error_text(error);
    EXPECT_EQ(text.find("[json"), std::string::npos) << text;
    EXPECT_NE(text.find("report it as a defect: JSON: invalid UTF-8"), std::string::npos) << text;
  }
  EXPECT_EQ(error_text(std::runtime_error("Kokkos::x ERROR\nTraceback functionality\n")),
            "this must not happen, please report it as a defect: Kokkos::x ERROR");
}

}  // namespace
}  // namespace knudsen
