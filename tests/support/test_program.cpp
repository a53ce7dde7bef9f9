#include "tests/support/test_program.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace scanloupe::test {

namespace {

/// Names of the program's tests, and their main functions.
std::map<std::string, TestMain>& entries() {
    static std::map<std::string, TestMain> tests;
    return tests;
}

} // namespace

TestEntry::TestEntry(const char* file, TestMain run) {
    entries()[std::filesystem::path(file).stem().string()] = run;
}

} // namespace scanloupe::test

int main(int argc, char** argv) {
    const auto& tests = scanloupe::test::entries();
    if (argc < 2) {
        for (const auto& [name, run] : tests)
            std::printf("%s\n", name.c_str());
        return 0;
    }
    const auto found = tests.find(argv[1]);
    if (found == tests.end()) {
        std::fprintf(
            stderr,
            "There is no test \"%s\": without arguments this program prints the names of its tests.\n",
            argv[1]);
        return 2;
    }
    return found->second(argc - 1,
                         argv + 1); // the test's name becomes that of its application, and of its settings
}
