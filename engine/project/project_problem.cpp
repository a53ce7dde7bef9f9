// Formats the error messages for projects.
#include "engine/project/project_problem.h"

#include "engine/cloud/error.h"
#include "engine/io/common/bounded_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

void refuseProject(const std::string& what) {
    throw EngineError(fmt::format("The project can't be read: {}.", what),
                      "Correct the file, or open its scans and save the project again.");
}

void requireAtMost(std::size_t count, std::size_t most, const char* what) {
    if (count > most)
        throw EngineError(
            fmt::format("The project has {} {}, but projects can have at most {}.", count, what, most),
            "Remove some of them, or save several projects.");
}

void readPart(const std::string& part, const std::function<void()>& read) {
    try {
        read();
    } catch (const nlohmann::json::exception& error) {
        refuseProject(fmt::format("in {}, {}", part, jsonProblem(error)));
    }
}

} // namespace scanloupe
