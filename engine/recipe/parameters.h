#pragma once
// Declares every parameter once: key, unit, limits, help. The options of the command line, the recipe file
// and the controls of the window are derived from it.
#include "engine/recipe/stage.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

struct Recipe;

enum class ParameterKind { real, integer, flag, choice, text };

/// A parameter of one or more components (three for a voxel size). Values are numbers; a choice is its index,
/// a flag 0 or 1; text has its own pair of functions.
struct Parameter {
    std::string key;   ///< in a recipe file, e.g. "voxel_size"; the option is "--voxel-size"
    std::string label; ///< in the window, e.g. "Voxel size"
    /// "°", "px", ...; may be empty. "m" of lengths, which are in the unit of the scan's coordinates
    std::string unit;
    Stage stage; ///< that it is shown with: the first that reads it, but for the up axis, which may turn a
                 ///< range
    ParameterKind kind = ParameterKind::real;
    std::vector<std::string> components; ///< e.g. x, y, z; one empty name for a scalar
    double min = 0, max = 0;             ///< inclusive limits of each component
    bool logarithmic = false;            ///< its slider has a logarithmic scale
    bool fromData = false;               ///< chosen from the data if without a value
    bool setByViews = false; ///< in the window, the views or the data set it; its panel has no row for it
    std::vector<std::string> choices; ///< names of a choice's values
    std::string help;                 ///< a sentence or two

    std::function<std::optional<std::vector<double>>(const Recipe&)> get; ///< none: automatic
    /// Sets a value without checking its limits.
    std::function<void(Recipe&, const std::optional<std::vector<double>>&)> set;
    std::function<std::string(const Recipe&)> getText;
    std::function<void(Recipe&, const std::string&)> setText;

    std::string option() const; ///< "--voxel-size"
    bool isLength() const { return unit == "m"; }
    /// Whether it has the same value in both recipes.
    bool isSame(const Recipe& a, const Recipe& b) const;
};

/// All parameters, in the order of the data flow.
std::span<const Parameter> parameters();
/// @throws EngineError for an unknown key.
const Parameter& parameter(std::string_view key);

/// Sets a parameter from text: "0.2", "0.1,0.1,0.2", "density", "on", "auto". A single number sets all three
/// components of the voxel size.
/// @throws EngineError with the limits and the unit when the value is invalid.
void setFromText(Recipe& recipe, const Parameter& parameter, const std::string& text);
/// The value in the syntax of setFromText; "auto" if it is chosen from the data.
std::string toText(const Recipe& recipe, const Parameter& parameter);
/// @throws EngineError naming the first parameter outside its limits.
void checkLimits(const Recipe& recipe);

} // namespace scanloupe
