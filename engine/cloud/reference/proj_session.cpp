// Opens PROJ's database, disables PROJ's network access, and keeps its messages off stderr.
#include "engine/cloud/reference/proj_session.h"

#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

namespace scanloupe {

namespace {

namespace fs = std::filesystem;

/// Log function for PROJ that stores the last error.
void keepError(void* error, int level, const char* message) {
    if (level != PJ_LOG_ERROR || !message)
        return;
    const std::string text(message);
    const std::size_t function = text.starts_with("proj_") ? text.find(": ") : std::string::npos;
    *static_cast<std::string*>(error) = function == std::string::npos ? text : text.substr(function + 2);
}

/// Returns the path of share/proj/proj.db in the program's installation folder; empty if there is none.
fs::path databaseBesideProgram() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    for (const char* up : {"..", "../.."}) { // relative to bin or libexec; relative to libexec/tests
        fs::path database = (program / up / "share/proj/proj.db").lexically_normal();
        if (fs::is_regular_file(database, unknown))
            return database;
    }
    return {};
}

} // namespace

ProjSession::ProjSession() : m_context(proj_context_create()) {
    if (!m_context)
        throw std::bad_alloc();
    proj_log_func(m_context.get(), &m_error, keepError);
    proj_context_set_enable_network(m_context.get(), 0);
    // PROJ_DATA may refer to the database of another PROJ version, which this one can't read.
    const fs::path own = databaseBesideProgram();
    if (!own.empty())
        proj_context_set_database_path(m_context.get(), own.c_str(), nullptr, nullptr);
    m_error.clear();
}

std::string ProjSession::takeError() {
    return std::exchange(m_error, {});
}

} // namespace scanloupe
