#include "device/thread_count.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

ThreadLimits cores(int count) {
  ThreadLimits limits;
  limits.cores = count;
  return limits;
}

TEST(ChooseThreads, OneForEachCore) {
  EXPECT_EQ(choose_threads(0, cores(16)), 16);
  EXPECT_EQ(choose_threads(0, cores(2000)), max_host_threads);
}

TEST(ChooseThreads, AQuotaIsRoundedUp) {
  ThreadLimits limits = cores(16);
  limits.quota = 2.5;
  EXPECT_EQ(choose_threads(0, limits), 3);
  limits.quota = 0.1;
  EXPECT_EQ(choose_threads(0, limits), 1);
  limits.quota = 1e9;
  EXPECT_EQ(choose_threads(0, limits), 16);
}

TEST(ChooseThreads, TheCommandLineGoesBeforeTheEnvironment) {
  ThreadLimits limits = cores(16);
  limits.openmp = std::string("4,2");
  EXPECT_EQ(choose_threads(0, limits), 4);
  limits.kokkos = std::string("7");
  EXPECT_EQ(choose_threads(0, limits), 7);
  EXPECT_EQ(choose_threads(3, limits), 3);
}

TEST(ChooseThreads, MoreThanCoresMayBeAskedFor) {
  EXPECT_EQ(choose_threads(4, cores(2)), 4);
  EXPECT_EQ(choose_threads(max_host_threads, cores(2)), max_host_threads);
}

TEST(ChooseThreads, TheDefaultRespectsTheLimitOfOpenMP) {
  ThreadLimits limits = cores(16);
  limits.thread_limit = 1;
  EXPECT_EQ(choose_threads(0, limits), 1);
}

TEST(ChooseThreads, WhatCannotBeHadIsRefused) {
  ThreadLimits limits = cores(16);
  limits.thread_limit = 8;
  expect_error<InputError>([&] { choose_threads(9, limits); }, "--threads: found 9 threads",
                           "at most 8", "OMP_THREAD_LIMIT");
  limits = cores(16);
  expect_error<InputError>([&] { choose_threads(600, limits); }, "--threads: found 600 threads",
                           "at most 512");
  limits.openmp = std::string("1000");
  expect_error<InputError>([&] { choose_threads(0, limits); }, "OMP_NUM_THREADS", "1000");
  for (const char* text : {"abc", "0", "-3", "7x", "99999999999999999999", " "}) {
    limits.kokkos = text;
    expect_error<InputError>([&] { choose_threads(0, limits); }, "KOKKOS_NUM_THREADS", text,
                             "must be a number of threads");
  }
}

TEST(CoreList, JoinsRanges) {
  EXPECT_EQ(core_list({0, 1, 2, 5}), "0-2,5");
  EXPECT_EQ(core_list({3}), "3");
  EXPECT_EQ(core_list({}), "");
}

}  // namespace
}  // namespace knudsen
