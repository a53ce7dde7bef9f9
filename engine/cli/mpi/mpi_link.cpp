// Loads the MPI plug-in if mpirun has started the program.
#include "engine/cli/mpi/mpi_link.h"

#include "engine/cli/mpi/mpi_functions.h"
#include "engine/cloud/error.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace scanloupe::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "scanloupe-mpi.so";

/// Whether an MPI launcher (OpenMPI, MPICH or Slurm) has set the environment variables of a rank.
bool isLaunched() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
        if (std::getenv(name))
            return true;
    return false;
}

/// Returns the possible paths of the plug-in: next to the program, or in the library folders of a package.
std::array<fs::path, 3> places() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    return {program / kModule, program / ".." / "lib" / "scanloupe" / kModule,
            program / ".." / "lib" / kModule};
}

const ScanloupeMpi& functions() {
    std::string why = fmt::format("{} is missing", kModule);
    for (const fs::path& path : places()) {
        std::error_code unknown;
        if (!fs::exists(path, unknown))
            continue;
        // RTLD_GLOBAL, because components of the MPI library look up its symbols
        if (void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
            if (const auto function =
                    reinterpret_cast<ScanloupeMpiFunction>(dlsym(module, kScanloupeMpiSymbol)))
                return *function();
            why = fmt::format("{} belongs to another version of the program", path.string());
        } else {
            why = dlerror();
        }
    }
    throw EngineError(fmt::format("This program was started by mpirun, but can't use MPI: {}.", why),
                      "Build the program on a machine with OpenMPI, or start it without mpirun.");
}

class MpiLink : public RankLink {
public:
    MpiLink() : m_mpi(functions()) { check(m_mpi.start(&m_rank, &m_size), "start"); }
    /// Ends MPI only after success. After a failure the other ranks may never reach MPI_Finalize, so waiting
    /// for them could block forever; instead this process exits and its launcher ends the other ranks.
    ~MpiLink() override {
        if (std::uncaught_exceptions() == 0)
            m_mpi.end();
    }

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }
    void send(int to, const std::string& text) override {
        check(m_mpi.send(to, text.data(), int(text.size())), "send");
    }
    std::optional<RankMessage> receive() override {
        int from = 0, bytes = -1;
        check(m_mpi.probe(&from, &bytes), "probe");
        if (bytes < 0)
            return std::nullopt;
        RankMessage message{from, std::string(std::size_t(bytes), '\0')};
        check(m_mpi.receive(from, message.text.data(), bytes), "receive");
        return message;
    }

private:
    static void check(int failed, const char* what) {
        if (failed)
            throw EngineError(fmt::format("The MPI operation '{}' failed with error {}.", what, failed),
                              "Start the job again: it resumes where it stopped.");
    }

    const ScanloupeMpi& m_mpi;
    int m_rank = 0, m_size = 1;
};

} // namespace

std::unique_ptr<RankLink> joinRanks() {
    if (!isLaunched())
        return nullptr;
    auto link = std::make_unique<MpiLink>();
    if (link->size() == 1)
        return nullptr;
    return link;
}

} // namespace scanloupe::cli
