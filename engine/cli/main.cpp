// Runs scanloupe-cli; signals stop it cleanly.
#include "engine/cli/command_line.h"
#include "engine/cli/output/interrupt.h"
#include "kernels/sycl/sycl_options.h"

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
    scanloupe::chooseSyclOptions();
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const scanloupe::cli::StopOnInterrupt interrupt;
    return scanloupe::runCommandLine(arguments, std::cout, std::cerr, interrupt.token());
}
