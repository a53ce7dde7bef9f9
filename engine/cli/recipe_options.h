#pragma once
// Declares the command-line options of a recipe, which are generated from the declaration of the parameters.
#include "engine/cli/output/session.h"
#include "engine/recipe/recipe.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {
struct Parameter;
class TrustedCode;
} // namespace scanloupe

namespace scanloupe::cli {

class Command;

/// The options --recipe, --size, --camera, and one for each parameter. CLI11 keeps pointers into this object,
/// so it must not move while the program parses.
class RecipeOptions {
public:
    explicit RecipeOptions(Command command);
    RecipeOptions(const RecipeOptions&) = delete;
    RecipeOptions& operator=(const RecipeOptions&) = delete;

    /// Reads the recipe from the file of --recipe, or takes `base` without that option, and applies the other
    /// options to it. The recipe file and the files that it refers to become inputs of the session. @throws
    /// EngineError
    Recipe recipe(Session& session, const Recipe& base = {}) const;
    /// Returns the CUDA code that may run: the code that the user has approved and, with --trust-cuda, all
    /// code of the recipe. @throws EngineError if visible layers of the recipe have other code
    std::shared_ptr<const TrustedCode> trustedCode(const Recipe& recipe) const;

private:
    std::string m_file;
    std::vector<std::optional<std::string>> m_values; // values as typed, one for each of parameters(); none:
                                                      // the option is not given
    std::optional<std::string> m_size, m_camera;
    bool m_trustsCuda = false;
};

/// Returns the syntax of a parameter's value, such as "x,y,z", "on|off", "occupancy|density|distance".
std::string valuePattern(const Parameter& parameter);
/// Returns the help text of a parameter with its limits, unit and default.
std::string describe(const Parameter& parameter);

} // namespace scanloupe::cli
