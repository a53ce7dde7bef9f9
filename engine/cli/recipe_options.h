#pragma once
// The options that make a recipe, derived from the declaration of the parameters.
#include "engine/pipeline/recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::cli {

/// --recipe, one option a parameter, --size and --camera. Must stay where it is while its app parses.
class RecipeOptions {
public:
    explicit RecipeOptions(CLI::App& app);
    RecipeOptions(const RecipeOptions&) = delete;
    RecipeOptions& operator=(const RecipeOptions&) = delete;

    /// The recipe's file, if any, with what the options say on top. @throws EngineError
    Recipe recipe() const;
    /// The recipe's file; empty when there is none.
    const std::string& file() const { return m_file; }

private:
    std::string m_file;
    std::vector<std::optional<std::string>> m_values; // [parameters()]
    std::optional<std::string> m_size, m_camera;
};

/// What the value of a parameter looks like: "x,y,z", "on|off", "occupancy|density|distance".
std::string valuePattern(const Parameter& parameter);
/// Its help with limits, unit and default.
std::string describe(const Parameter& parameter);

} // namespace scanloupe::cli
