#include <gtest/gtest.h>

#include "device/backend.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const knudsen::KokkosSession session;
  return RUN_ALL_TESTS();
}
