// HDF5 itself loses memory when it meets a damaged file or a full disk, which these tests show it
// on purpose. The leak sanitizer asks this function what to pass over.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5\n";
}
