// Opens the window: the command line is in window_program.cpp, which is compiled with the precompiled
// headers.
#include "gui/app/window_program.h"

int main(int argc, char** argv) {
    return scanloupe::gui::runWindow(argc, argv);
}
