#pragma once
// Declares what editing by hand needs of the window.
#include "engine/recipe/recipe.h"
#include "engine/reference/length_unit.h"
#include "gui/base/snapshot_ptr.h"

#include <QString>

class QWidget;

namespace scanloupe::gui {

class EditHost {
public:
    /// Whether a change is a step of the history.
    enum class Step { none, added };

    virtual const Recipe& recipe() const = 0;
    /// Shows a recipe and asks for its results.
    virtual void takeRecipe(const Recipe& recipe, Step step) = 0;
    /// Asks for results of a recipe that does not become the current one.
    virtual void tryRecipe(const Recipe& recipe) = 0;
    /// The recipe whose results were asked for last.
    virtual const Recipe& askedRecipe() const = 0;
    /// Whether a recipe waits for its forecast, before its results are asked for.
    virtual bool isAwaiting() const = 0;
    /// The last results; null without any.
    virtual const SnapshotPtr& results() const = 0;
    /// Whether the results are no preview, and of all points; otherwise shows a note.
    virtual bool isWhole() = 0;
    /// Whether isWhole(), and the alignment of scans that are shown together is right, or is to be written
    /// although it is not: asks.
    virtual bool mayExport() = 0;
    /// Whether results are computed with CUDA, which code of layers needs.
    virtual bool runsCuda() const = 0;
    virtual Vec3d up() const = 0;
    virtual LengthUnit unit() const = 0;
    virtual Vec3d lookedAt() const = 0; ///< by the views; file's frame
    /// Prompts for a path that is none of an open file.
    virtual QString promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                                   const QString& filter) = 0;
    virtual void showMarks() = 0;
    virtual void showDockOfTool(const char* name) = 0;
    /// A tool of editing was taken, or put down.
    virtual void showEditTool(bool isActive) = 0;

protected:
    ~EditHost() = default;
};

} // namespace scanloupe::gui
