// Generates the recipe options from the declaration of the parameters, and parses their values.
#include "engine/cli/recipe_options.h"

#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/error.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/trust_store.h"
#include "engine/picture/view.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numbers>

namespace scanloupe::cli {

namespace {

constexpr std::size_t kHelpWidth = 78; // width of the help column; with CLI11's column of option names, lines
                                       // stay below 110 characters

constexpr const char* kPictureGroup = "Picture";

/// A heading of options: it lists the parameters of all stages from `first` up to the next group's first
/// stage.
struct OptionGroup {
    Stage first;
    const char* name;
};
constexpr std::array kOptionGroups{
    OptionGroup{Stage::upload, "Voxels"},   OptionGroup{Stage::field, "Field"},
    OptionGroup{Stage::autoIso, "Surface"}, OptionGroup{Stage::clean, "Clean-up"},
    OptionGroup{Stage::section, "Quality"}, OptionGroup{Stage::scene, kPictureGroup},
};

const char* groupOf(Stage stage) {
    const auto next = std::ranges::find_if(kOptionGroups,
                                           [stage](const OptionGroup& group) { return group.first > stage; });
    return std::prev(next)->name;
}

/// Sets the picture's width and height from a text such as "1280x720". @throws EngineError
void setSize(Recipe& recipe, const std::string& text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos)
        throw EngineError("--size must be WIDTHxHEIGHT (got '" + text + "').",
                          "Give both in pixels: --size 1280x720.");
    setFromText(recipe, parameter("image_width"), text.substr(0, cross));
    setFromText(recipe, parameter("image_height"), text.substr(cross + 1));
}

/// Parses "ex,ey,ez,tx,ty,tz[,fov]": eye and target in the file's frame, vertical field of view in degrees.
Camera cameraFrom(const std::string& text, UpAxis up) {
    const std::vector<double> numbers = parseNumbers(text);
    if (numbers.size() != 6 && numbers.size() != 7)
        throw EngineError(fmt::format("--camera must have 6 or 7 numbers (got {}).", numbers.size()),
                          "Give eye, target and optionally the vertical field of view in degrees: "
                          "--camera=0,-10,2,0,0,0,45; or give the name of a view, such as top.");
    Camera camera;
    camera.eye = {numbers[0], numbers[1], numbers[2]};
    camera.target = {numbers[3], numbers[4], numbers[5]};
    if (numbers.size() == 7) {
        if (!(numbers[6] > 0 && numbers[6] < 180))
            throw EngineError(
                fmt::format("The field of view of --camera must be between 0 and 180 degrees (got {}).",
                            numbers[6]),
                "Use an angle such as 45.");
        camera.verticalFov = numbers[6] * std::numbers::pi / 180;
    }
    camera.up = levelUp(camera.target - camera.eye, up);
    return camera;
}

void setCamera(Recipe& recipe, const std::string& text) {
    const auto& view = parameter("view");
    const bool isPreset = std::find(view.choices.begin(), view.choices.end(), text) != view.choices.end();
    if (isPreset) {
        setFromText(recipe, view, text);
        recipe.camera.reset();
    } else if (text.find(',') != std::string::npos) {
        recipe.camera = cameraFrom(text, recipe.up.value_or(UpAxis::z));
    } else {
        throw EngineError("'" + text + "' is not a view (--camera).",
                          fmt::format("Use one of {}, or six numbers: x, y, z of the eye and of the target.",
                                      fmt::join(view.choices, ", ")));
    }
}

/// Returns the syntax of a colour mode, "auto|height|...|NAME": the keys of the modes, or the name of an
/// attribute.
std::string colourModePattern() {
    std::string pattern = "auto";
    for (const ColourMode& mode : colourModes())
        if (!mode.key.ends_with(':'))
            pattern += fmt::format("|{}", mode.key);
    return pattern + "|NAME";
}

} // namespace

std::string valuePattern(const Parameter& parameter) {
    switch (parameter.kind) {
    case ParameterKind::flag:
        return "on|off";
    case ParameterKind::choice:
        return fmt::format("{}", fmt::join(parameter.choices, "|"));
    case ParameterKind::text:
        return parameter.key == std::string("colour_by") ? colourModePattern() : "NAME";
    case ParameterKind::real:
    case ParameterKind::integer:
        break;
    }
    return parameter.components.size() > 1 ? fmt::format("{}", fmt::join(parameter.components, ",")) : "N";
}

std::string describe(const Parameter& parameter) {
    const bool numeric = parameter.kind == ParameterKind::real || parameter.kind == ParameterKind::integer;
    std::vector<std::string> facts;
    if (numeric)
        facts.push_back(fmt::format("{:g} to {:g}{}{}", parameter.min, parameter.max,
                                    parameter.unit.empty() ? "" : " ",
                                    parameter.isLength() ? "in the scan's unit" : parameter.unit));
    if (!parameter.fromData)
        facts.push_back("default " + toText(Recipe{}, parameter));
    return facts.empty() ? parameter.help : fmt::format("{} ({})", parameter.help, fmt::join(facts, ", "));
}

RecipeOptions::RecipeOptions(Command command) : m_values(parameters().size()) {
    command.option("--recipe", m_file, "Saved recipe to start from; the options below override its values")
        .typeName("R.json")
        .group("Recipe");
    command
        .flag("--trust-cuda", m_trustsCuda,
              "Run the CUDA code of the recipe or project even if it was not approved in the window")
        .group("Recipe");
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const Parameter& parameter = parameters()[i];
        command.option(parameter.option(), m_values[i], wrapped(describe(parameter), kHelpWidth))
            .typeName(valuePattern(parameter))
            .group(groupOf(parameter.stage));
    }
    command.option("--size", m_size, "Width and height of the picture, px")
        .typeName("WxH")
        .group(kPictureGroup);
    command
        .option("--camera", m_camera,
                "The name of a view, or eye, target and optionally the vertical field of view in degrees")
        .typeName(fmt::format("{}|ex,ey,ez,tx,ty,tz[,angle]", fmt::join(parameter("view").choices, "|")))
        .group(kPictureGroup);
}

Recipe RecipeOptions::recipe(Session& session) const {
    return recipe(session, Recipe());
}

Recipe RecipeOptions::recipe(Session& session, const Recipe& base) const {
    Recipe recipe = m_file.empty() ? base : readRecipe(session.input(m_file));
    for (const std::string& file : filesOf(recipe.edits.layers))
        session.files.addInput(file);
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        if (!m_values[i])
            continue;
        const Parameter& parameter = parameters()[i];
        setFromText(recipe, parameter, *m_values[i]);
        if (parameter.key == "view")
            recipe.camera.reset(); // the option overrides the recipe's camera
    }
    if (m_size)
        setSize(recipe, *m_size);
    if (m_camera)
        setCamera(recipe, *m_camera);
    checkLimits(recipe);
    return recipe;
}

std::shared_ptr<const TrustedCode> RecipeOptions::trustedCode(const Recipe& recipe) const {
    TrustStore store;
    for (const CudaFile& file : untrustedFiles(recipe.edits.layers, *store.code())) {
        if (!m_trustsCuda)
            requireTrusted(store.code().get(), file);
        store.add(file.source);
    }
    return store.code();
}

} // namespace scanloupe::cli
