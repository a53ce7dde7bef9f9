#pragma once
// Declares how the engine uses PROJ: with its own files, without network access, and without output.
#include <memory>
#include <proj.h>
#include <string>

namespace scanloupe {

struct ProjDeleter {
    void operator()(PJ* object) const { proj_destroy(object); }
    void operator()(PJ_OBJ_LIST* list) const { proj_list_destroy(list); }
    void operator()(PJ_CONTEXT* context) const { proj_context_destroy(context); }
};
using ProjObject = std::unique_ptr<PJ, ProjDeleter>;
using ProjList = std::unique_ptr<PJ_OBJ_LIST, ProjDeleter>;

/// A PROJ context for use on one thread. It reads the EPSG dataset from the proj.db in the program's
/// installation folder if there is one, otherwise from PROJ's default location.
class ProjSession {
public:
    ProjSession();
    ProjSession(const ProjSession&) = delete;
    ProjSession& operator=(const ProjSession&) = delete;

    PJ_CONTEXT* context() const { return m_context.get(); }
    /// Whether proj.db was found. Without it, only well-known text can be interpreted.
    bool hasDatabase() const { return proj_context_get_database_path(m_context.get()) != nullptr; }
    /// Returns and clears the last error, without the name of PROJ's function; may be empty.
    std::string takeError();

private:
    std::unique_ptr<PJ_CONTEXT, ProjDeleter> m_context;
    std::string m_error;
};

} // namespace scanloupe
