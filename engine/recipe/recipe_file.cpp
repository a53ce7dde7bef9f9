// Converts recipes from and to JSON, including file names that are invalid UTF-8.
#include "engine/recipe/recipe_file.h"

#include "engine/cloud/error.h"
#include "engine/edit/edits_json.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/text/camera_json.h"
#include "engine/io/common/text/json_name.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;
constexpr const char *kSchemaKey = "schema", *kSchema = "scanloupe/recipe/1";

/// Returns the beginning of a value, for messages.
std::string excerpt(const Json& value) {
    constexpr std::size_t most = 100;
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() <= most ? text : text.substr(0, most) + " ...";
}

Json toJsonValue(const Recipe& recipe, const Parameter& p) {
    if (p.kind == ParameterKind::real || p.kind == ParameterKind::integer) {
        const auto values = p.get(recipe);
        if (!values)
            return "auto";
        if (values->size() > 1)
            return *values;
        if (p.kind == ParameterKind::integer)
            return static_cast<std::int64_t>((*values)[0]);
        return (*values)[0];
    }
    if (p.kind == ParameterKind::flag)
        return (*p.get(recipe))[0] != 0;
    return p.kind == ParameterKind::text ? toJsonName(toText(recipe, p)) : Json(toText(recipe, p));
}

std::string wordsOf(const Json& value) {
    if (value.is_string() || isByteName(value))
        return fromJsonName(value, "The recipe");
    if (value.is_boolean())
        return value.get<bool>() ? "on" : "off";
    if (value.is_number())
        return value.dump();
    if (value.is_array()) {
        std::string words;
        for (const Json& part : value)
            words += (words.empty() ? "" : ",") + wordsOf(part);
        return words;
    }
    throw EngineError(
        fmt::format("The recipe contains {} where a number, a word or a list of numbers is expected.",
                    excerpt(value)),
        "Correct the value in the file.");
}

} // namespace

std::string toJson(const Recipe& recipe) {
    Json json{{"scanloupe_recipe", kVersion}, {kSchemaKey, kSchema}};
    for (const Parameter& p : parameters())
        json[p.key] = toJsonValue(recipe, p);
    json["camera"] = recipe.camera ? toJsonCamera(*recipe.camera) : Json("auto");
    if (!recipe.edits.empty())
        json["edits"] = toJson(recipe.edits);
    return readableJson(json);
}

Recipe recipeFromJson(const std::string& text) {
    Recipe recipe;
    const Json json = parseBoundedJson(text, "The recipe");
    try {
        if (!json.is_object() || !json.contains("scanloupe_recipe"))
            throw EngineError("This file is not a recipe: the key scanloupe_recipe is missing.",
                              "Use a file written by 'scanloupe-cli recipe' or --save-recipe.");
        if (json.at("scanloupe_recipe") != kVersion)
            throw EngineError(fmt::format("This recipe has version {}, but this program reads version {}.",
                                          excerpt(json.at("scanloupe_recipe")), kVersion),
                              "Use the version of the program that wrote it.");
        for (const auto& [key, value] : json.items()) {
            if (key == "scanloupe_recipe" || key == kSchemaKey)
                continue;
            if (key == "camera") {
                if (!value.is_string())
                    recipe.camera = cameraFromJson(value);
            } else if (key == "edits") {
                recipe.edits = editsFromJson(value);
            } else {
                setFromText(recipe, parameter(key), wordsOf(value));
            }
        }
    } catch (const nlohmann::json::exception& error) {
        throw EngineError(fmt::format("The recipe can't be read: {}.", jsonProblem(error)),
                          "Correct the file, or write a new one with 'scanloupe-cli recipe'.");
    }
    return recipe;
}

Recipe readRecipe(const std::filesystem::path& path) {
    return recipeFromJson(readSmallFile(path, kMaxDocumentBytes));
}

void writeRecipe(const std::filesystem::path& path, const Recipe& recipe, const std::stop_token& stop) {
    const std::string text = toJson(recipe);
    requireReadableSize(text, "The recipe");
    writeAtomically(
        path, [&](std::ostream& out) { out << text; }, stop);
}

} // namespace scanloupe
