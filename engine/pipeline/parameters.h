#pragma once
// The one declaration of every parameter: key, unit, limits, help. The command line's options, the saved
// recipe and the window's controls are derived from it.
#include "engine/pipeline/recipe.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

enum class ParameterKind { real, integer, flag, choice, text };

/// The stage that a parameter belongs to: what runs again when it moves.
enum class ParameterStage { voxelize, field, extract, clean, picture, quality };

/// A parameter of one or more components (three for a voxel size). Values are numbers; a choice is its index,
/// a flag 0 or 1; text has its own pair of functions.
struct Parameter {
    std::string key;   ///< in a recipe file, e.g. "voxel_size"; the option is "--voxel-size"
    std::string label; ///< for people, e.g. "Voxel size"
    std::string unit;  ///< "m", "px", ...; empty when it has none
    ParameterStage stage;
    ParameterKind kind = ParameterKind::real;
    std::vector<std::string> components; ///< e.g. x, y, z; one empty name for a scalar
    double min = 0, max = 0;             ///< inclusive limits of each component
    bool logarithmic = false;            ///< a slider for it spans decades
    bool fromData = false;               ///< without a value it is chosen from the data
    std::vector<std::string> choices;    ///< names of a choice's values
    std::string help;                    ///< a sentence or two

    std::function<std::optional<std::vector<double>>(const Recipe&)> get; ///< no value: chosen from the data
    std::function<void(Recipe&, const std::optional<std::vector<double>>&)>
        set; ///< sets without looking at limits
    std::function<std::string(const Recipe&)> getText;
    std::function<void(Recipe&, const std::string&)> setText;

    std::string option() const; ///< "--voxel-size"
};

/// All of them, in the order of the data flow.
std::span<const Parameter> parameters();
/// @throws EngineError for a key that is none.
const Parameter& parameter(std::string_view key);

/// Sets a parameter from words as people type them: "0.2", "0.1,0.1,0.2", "density", "on", "auto". One number
/// fills all components where that makes sense (voxel size).
/// @throws EngineError with the limits and the unit when it doesn't fit.
void setFromText(Recipe& recipe, const Parameter& parameter, const std::string& text);
/// The value as setFromText reads it; "auto" when it is chosen from the data.
std::string toText(const Recipe& recipe, const Parameter& parameter);
/// @throws EngineError naming the first parameter outside its limits.
void checkLimits(const Recipe& recipe);

} // namespace scanloupe
