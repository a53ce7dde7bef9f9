#pragma once
// Declares the interface of the plug-in that is linked to MPI. It consists of C functions, because the
// plug-in is loaded at run time, and only if mpirun has started the program.

extern "C" {

/// Message passing with MPI. All functions must be called by the same thread; each returns 0 or an MPI error
/// code.
struct ScanloupeMpi {
    int (*start)(int* rank, int* size);
    int (*end)();
    int (*send)(int to, const char* data, int bytes);
    /// Checks for a message to this rank without receiving it.
    /// @param from receives the rank of the sender
    /// @param bytes receives the size of the message; negative: there is no message
    int (*probe)(int* from, int* bytes);
    /// Receives the message that probe() has announced.
    /// @param data receives its bytes
    int (*receive)(int from, char* data, int bytes);
};

/// Name of the only function that the plug-in exports.
inline constexpr const char* kScanloupeMpiSymbol = "scanloupeMpi";
using ScanloupeMpiFunction = const ScanloupeMpi* (*)();

} // extern "C"
