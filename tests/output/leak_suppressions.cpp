// HDF5 itself leaks memory on damaged files and full disks, which these tests provoke. The leak
// sanitizer calls this function for what to ignore.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5\n";
}
