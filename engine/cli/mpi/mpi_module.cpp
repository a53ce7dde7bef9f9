// The plug-in for messages with MPI.
#include "engine/cli/mpi/mpi_functions.h"

#include <mpi.h>

namespace {

constexpr int kTag = 1;

int start(int* rank, int* size) {
    int provided = 0;
    // MPI_THREAD_FUNNELED: the process has other threads, but only this one calls MPI
    if (const int failed = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided))
        return failed;
    if (const int failed = MPI_Comm_rank(MPI_COMM_WORLD, rank))
        return failed;
    return MPI_Comm_size(MPI_COMM_WORLD, size);
}

int end() {
    return MPI_Finalize();
}

int send(int to, const char* data, int bytes) {
    return MPI_Send(data, bytes, MPI_CHAR, to, kTag, MPI_COMM_WORLD);
}

int probe(int* from, int* bytes) {
    int isThere = 0;
    MPI_Status status;
    *bytes = -1;
    const int failed = MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &isThere, &status);
    if (failed || !isThere)
        return failed;
    *from = status.MPI_SOURCE;
    return MPI_Get_count(&status, MPI_CHAR, bytes);
}

int receive(int from, char* data, int bytes) {
    return MPI_Recv(data, bytes, MPI_CHAR, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

constexpr ScanloupeMpi kFunctions{start, end, send, probe, receive};

} // namespace

extern "C" __attribute__((visibility("default"))) const ScanloupeMpi* scanloupeMpi() {
    return &kFunctions;
}
