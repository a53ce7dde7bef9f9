#pragma once
// Declares how a scan is opened, and the result of reading it.
#include "engine/io/scan_input.h"
#include "engine/recipe/stored_recipe.h"

#include <QString>
#include <memory>
#include <optional>

namespace scanloupe {
struct Bounds;
}

namespace scanloupe::gui {

/// How a scan is opened.
struct Opening {
    enum class As {
        another, ///< another scan: parameters that depend on position and scale are chosen from it
        frame,   ///< a frame of the same sequence: recipe and camera stay
        rest,    ///< the whole scan after a first look: recipe and camera stay
        before,  ///< shown before: its recipe and camera are restored
    };
    As as = As::another;
    StoredRecipe recipe = {}; ///< the recipe to restore
    /// attribute to colour another scan by; empty: that of the previous scan, if this one has it
    std::string colourBy = {};
};

/// A scan that was read, with the reading time, and how it is opened.
struct LoadedScan {
    std::shared_ptr<const ScanInput> scan;
    QString name;
    Opening opening = {};
    bool isFirstLook = false; ///< a subsample of a scan; the rest follows immediately
    bool hasLevels = false;   ///< whether only the part that a view needs can be read
};
using LoadedScanPtr = std::shared_ptr<const LoadedScan>;

/// The range of a recipe that limits reading; nullopt if the range is rotated or inverted.
std::optional<Bounds> rangeToRead(const Recipe& recipe);

/// Initial recipe of a scan that follows one with `recipe`.
Recipe recipeFor(const LoadedScan& loaded, Recipe recipe);

} // namespace scanloupe::gui
