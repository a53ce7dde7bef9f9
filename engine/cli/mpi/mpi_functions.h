#pragma once
// Declares the interface of the module that is linked to MPI: plain functions, since it is only loaded when
// mpirun has started the program.

extern "C" {

/// Messages by MPI. All functions are called by one thread; each returns 0, or an error of MPI.
struct ScanloupeMpi {
    int (*start)(int* rank, int* size);
    int (*end)();
    int (*send)(int to, const char* data, int bytes);
    /// @param bytes size of the next message to this rank; negative: there is none
    int (*probe)(int* from, int* bytes);
    /// Receives the message that probe() has announced. @param data receives its bytes
    int (*receive)(int from, char* data, int bytes);
};

/// The name of the only function of the module.
inline constexpr const char* kScanloupeMpiSymbol = "scanloupeMpi";
using ScanloupeMpiFunction = const ScanloupeMpi* (*)();

} // extern "C"
