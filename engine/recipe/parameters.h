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

/// A parameter with one or more components, for instance three for a voxel size. Values are numbers; the
/// value of a choice is its index, that of a flag 0 or 1. Text parameters have a separate pair of functions.
struct Parameter {
    std::string key;   ///< name in recipe files, for example "voxel_size"; the option is then "--voxel-size"
    std::string label; ///< name in the window, for example "Voxel size"
    /// "°", "px", ...; may be empty. "m" marks lengths, which are in the unit of the scan's coordinates.
    std::string unit;
    Stage stage; ///< stage with which the parameter is shown: the first stage that reads it, except for the
                 ///< up axis
    ParameterKind kind = ParameterKind::real;
    std::vector<std::string> components; ///< names of the components, for example x, y, z; one empty name for
                                         ///< a scalar
    double min = 0, max = 0;             ///< inclusive limits of each component
    bool logarithmic = false;            ///< the parameter's slider has a logarithmic scale
    bool fromData = false;               ///< automatic if it has no value: chosen from the data
    bool setByViews = false; ///< set by the views or the data in the window, so that its panel has no row for
                             ///< it
    std::vector<std::string> choices; ///< names of the values of a choice
    std::string help;                 ///< help text of one or two sentences

    std::function<std::optional<std::vector<double>>(const Recipe&)> get; ///< returns the value; none:
                                                                          ///< automatic
    /// Sets the value without checking its limits.
    std::function<void(Recipe&, const std::optional<std::vector<double>>&)> set;
    std::function<std::string(const Recipe&)> getText;
    std::function<void(Recipe&, const std::string&)> setText;

    std::string option() const; ///< "--voxel-size"
    bool isLength() const { return unit == "m"; }
    /// Whether the parameter has the same value in both recipes.
    bool isSame(const Recipe& a, const Recipe& b) const;
};

/// Returns all parameters in the order of the data flow.
std::span<const Parameter> parameters();
/// Returns the parameter with a key. @throws EngineError for an unknown key.
const Parameter& parameter(std::string_view key);

/// Sets a parameter from text such as "0.2", "0.1,0.1,0.2", "density", "on" or "auto". A single number sets
/// all three components of the voxel size.
/// @throws EngineError with the limits and the unit if the value is invalid.
void setFromText(Recipe& recipe, const Parameter& parameter, const std::string& text);
/// Returns the value in the syntax of setFromText(); "auto" if it is chosen from the data.
std::string toText(const Recipe& recipe, const Parameter& parameter);
/// Checks the limits of all parameters. @throws EngineError naming the first parameter outside its limits.
void checkLimits(const Recipe& recipe);

} // namespace scanloupe
