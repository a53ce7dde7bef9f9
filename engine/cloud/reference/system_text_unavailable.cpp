// Replaces PROJ in builds without it: systems have names, but no units.
#include "engine/cloud/reference/plain_system_name.h"
#include "engine/cloud/reference/system_text.h"

namespace scanloupe {

bool haveProj() {
    return false;
}

SystemFacts readSystemText(const std::string& text) {
    SystemFacts facts;
    facts.name = plainSystemName(text);
    if (!text.empty())
        facts.problem = "this build does not include PROJ, the library of coordinate systems; install "
                        "libproj-dev and build "
                        "Scanloupe again";
    return facts;
}

bool isSameSystem(const std::string& one, const std::string& other) {
    return one == other;
}

} // namespace scanloupe
