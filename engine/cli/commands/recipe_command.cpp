// Implements `recipe`: lists the parameters, or writes a recipe as JSON.
#include "engine/cli/commands.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cli/reading_options.h"
#include "engine/cli/recipe_options.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"

#include <memory>
#include <optional>

namespace scanloupe::cli {

namespace {

struct RecipeCommand {
    explicit RecipeCommand(Command command) : options(command) {}
    RecipeOptions options;
    std::string scan, target;
    ReadOptions read;
    bool list = false;
};

void listParameters(std::ostream& out) {
    for (const Parameter& parameter : parameters())
        out << parameter.key << "  " << valuePattern(parameter) << "\n    " << describe(parameter) << '\n';
}

void runRecipe(const RecipeCommand& command, Session& session) {
    if (command.list) {
        listParameters(session.out);
        return;
    }
    Recipe recipe = command.options.recipe(session);
    const std::filesystem::path scan = session.input(command.scan);
    std::optional<OutputTarget> target;
    if (!command.target.empty())
        target = session.target(command.target, {".json"}, ".json");
    if (!command.scan.empty()) {
        const auto cloud = readPoints(scan, command.read, session);
        session.console.step("choosing automatic values");
        recipe = resolve(recipe, *cloud, defaultsFor(*cloud, session.stop), session.stop);
    }
    session.console.clear();
    if (target) {
        writeRecipe(target->path, recipe, session.stop);
        session.text() << target->path.string() << '\n';
    } else {
        session.printJson(toJson(recipe));
    }
}

} // namespace

void addRecipeCommand(Command program, Action& action) {
    Command sub = program.subcommand(
        "recipe",
        "Print a recipe with all parameters as JSON; with a scan, including the values chosen for it");
    auto command = std::make_shared<RecipeCommand>(sub);
    sub.option("scan", command->scan, "The scan for which automatic values are chosen");
    sub.flag("--list", command->list, "List every parameter with its unit, limits and help");
    sub.option("--out", command->target, "Write the recipe to a file instead of standard output")
        .typeName("R.json");
    addReadingOptions(sub, command->read);
    sub.footer("Example: scanloupe-cli recipe car.ply --voxel-size 0.1 --out car.json");
    sub.whenParsed(
        [&action, command] { action = [command](Session& session) { runRecipe(*command, session); }; });
}

} // namespace scanloupe::cli
