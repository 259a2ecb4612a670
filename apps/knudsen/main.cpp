#include "core/backend.hpp"

int main() { return 0; }
