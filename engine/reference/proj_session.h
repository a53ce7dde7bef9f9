#pragma once
// Declares PROJ as the engine uses it: on its own files, without the network, and in silence.
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

/// A context of PROJ, to be used on one thread. It reads the EPSG dataset from the proj.db next to the
/// program, as in a bundle, else from PROJ's default location.
class ProjSession {
public:
    ProjSession();
    ProjSession(const ProjSession&) = delete;
    ProjSession& operator=(const ProjSession&) = delete;

    PJ_CONTEXT* context() const { return m_context.get(); }
    /// Whether there is a proj.db. Without it, only the content of well-known text is available.
    bool hasDatabase() const { return proj_context_get_database_path(m_context.get()) != nullptr; }
    /// The last error since the last call, without the name of PROJ's function; may be empty.
    std::string takeError();

private:
    std::unique_ptr<PJ_CONTEXT, ProjDeleter> m_context;
    std::string m_error;
};

} // namespace scanloupe
