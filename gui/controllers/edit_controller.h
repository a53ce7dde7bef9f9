#pragma once
// Declares manual editing in the window: tools in the views, their menus and panel, and the resulting layers.
#include "engine/edit/trust_store.h"
#include "gui/controllers/window_context.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/file_watch.h"
#include "gui/tools/edit_tool.h"
#include "gui/tools/field_at_surface.h"

#include <QAction>
#include <QColor>
#include <QList>
#include <QStringList>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;

namespace scanloupe {
struct Recipe;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

class EditPanel;
class RunController;

/// Turns the user's actions with tools, menus and panel into edits of the recipe. Constructor arguments must
/// outlive it.
class EditController : public Controller {
    Q_OBJECT
public:
    EditController(const WindowContext& window, RunController& run, EditPanel& panel);

    /// Adds the selection tools, and the actions on selected points.
    void buildSelectMenu(QMenu* menu);
    /// Adds the brushes that change the surface.
    void buildSculptMenu(QMenu* menu);
    /// Must be called after the menus are built.
    void connectAll();

    EditTool& tool() { return m_tool; }
    /// Actions on the section, enabled while there is one.
    const QList<QAction*>& ofSection() const { return m_ofSection; }

    /// Cancels the current stroke, and returns the recipe without it.
    Recipe atRest(Recipe recipe);
    /// Cancels the current stroke and reverts its changes.
    void endStroke();
    /// Adds a layer that runs a CUDA file, and runs it again whenever the file is saved.
    void addCudaFile(const QString& path);
    /// Must be called when a run failed. Returns whether it was the trial of a CUDA file, which is then
    /// discarded.
    bool endFailedTrial(const QString& sentence, const QString& nextStep);
    /// Must be called when the user cancelled a run.
    void dropTrial() { m_trial.reset(); }
    /// The code that layers may run.
    std::shared_ptr<const TrustedCode> trustedCode() const { return m_trust.code(); }
    /// Asks once whether CUDA code of recipes from a file may run. Hides the layers whose code is not
    /// approved or can't run. @returns a note about hidden layers; empty: none were hidden
    QString approveLayersOf(const std::vector<Recipe*>& recipes);
    /// Restores the layers that approveLayersOf() has hidden, as in their file, so that saving keeps them.
    void restoreBlocked(const std::vector<Recipe*>& recipes) const;

signals:
    void logged(const QString& line);
    /// Emitted when the user switches a tool on or off.
    void toolChosen(bool isActive);

private:
    /// Shows selection and layers of the current recipe in the panel and in the menus.
    void show();
    void addToolKind(QMenu* menu, EditToolKind kind, const char* icon, const QString& text,
                     const QKeySequence& keys);
    void buildFunctionMenu(QMenu* menu);
    /// Adds the actions on the selection; returns those that need a selection.
    QList<QAction*> buildEditActions(QMenu* menu);
    void buildKeptMenu();
    void showTool();
    /// Another scan is opened.
    void leaveScan();
    /// Applies a new selection or changed layers, as a step of the history.
    /// @param colourBy new value of Recipe::colourBy, to show the new values; empty: unchanged
    void changeEdits(const Edits& edits, const std::string& colourBy = {});
    /// Applies an action to the selection, as a layer.
    void addLayer(const EditAction& action, const QString& name, const std::string& colourBy = {});
    /// Shows a stroke in progress, or applies it when it is complete.
    void takeStroke(const SelectionStep& added, const std::optional<SelectionStep>& whole);
    void dropStroke();
    /// The recipe's edits without the current stroke, which is cancelled.
    const Edits& editsAtRest();
    Edits withStrokeOf(Edits edits, const SelectionStep& step);
    /// The action of a stroke that begins now.
    SculptAction sculptAction(SculptTool tool) const;
    /// Adds the planes that strokes are mirrored at.
    void buildMirrorMenu(QMenu* menu);
    /// The plane across an axis through the middle of the displayed scan; none without results.
    std::optional<MirrorPlane> planeAcross(int axis) const;
    void selectBy();
    void selectByFormula();
    void computeAttribute();
    void setClass();
    void setColour();
    void moveSelection();
    void saveSelection(bool removes);
    /// Adds a layer that removes the selected points of `of`, which have been written to a separate file.
    void removeWritten(const Snapshot& of, const std::string& name);
    void keepSelection();
    void newCudaFile(CudaFunction function);
    /// Prompts for a path that ends with ".cu" and asks before it replaces a file; empty: cancelled.
    QString promptCudaPath(const QString& title, const QString& suggested);
    /// Opens the file of the current layer if it has the layer's code, else a new one with it.
    void openFileOfLayer();
    /// Whether a path is an ordinary file whose text is the code of `file`.
    static bool isFileOf(const QString& path, const CudaFile& file);
    /// Asks whether code may run, and remembers the answer if it may.
    bool approve(const std::vector<CudaFile>& files);
    void trust(const std::string& source);
    /// Hides the layers whose code is not among `code`. @returns whether there are any
    bool hideLayers(const std::vector<Recipe*>& recipes, const TrustedCode& code);
    void note(const QString& sentence); ///< shows and logs a note
    /// Shows a note that the scan or its edits changed while a dialog was open.
    void showStale();
    /// Whether the current code of a file may run. Asks the user, unless the file is being edited.
    bool mayRun(const QString& file, const CudaFile& code);
    /// Returns whether the file could be written.
    bool writeAndEdit(const QString& path, const std::string& source);
    void openInEditor(const QString& path);
    /// Watches the files of layers, and those that are to become layers.
    void followFiles();
    /// Runs the current content of a file, in the layers that have it or in a new one. Success adds a step to
    /// the history, a failure changes nothing.
    void tryFile(const QString& file);
    void tryLater(const QString& file);
    /// The edits with the action of a CUDA file replaced by `action`.
    Edits withFile(Edits edits, const QString& file, const CudaFileAction& action) const;
    /// Ends the trial of a file if the last results belong to it; otherwise requests the trial again.
    void endTrial();
    /// Dismisses the displayed error of a file that is valid now.
    void clearFile(const QString& file);
    void showFileError(const Failure& failure);
    QString chosenText() const; ///< number of selected points, in words

    RunController& m_run;
    EditPanel& m_panel;
    EditTool m_tool;
    TrustStore m_trust;
    bool m_isAsking = false; ///< while asking whether code may run
    using LayerPtr = std::shared_ptr<const EditLayer>;
    std::map<LayerPtr, LayerPtr>
        /// Maps hidden layers whose code was not approved to the original layers of their file
        m_blocked;
    QStringList m_ownFiles;        ///< files that the user edits
    std::optional<Edits> m_before; ///< edits before the current stroke; none: no stroke
    /// A trial run: edits with the current content of a CUDA file.
    struct Trial {
        QString file;
        Edits before, edits;
        std::string colourBy; ///< Recipe::colourBy that shows the new colours or values; empty: unchanged
    };
    std::optional<Trial> m_trial;
    QStringList m_wantedFiles; ///< chosen files that have not run successfully yet
    QStringList m_laterFiles;  ///< files that wait for the current run
    QTimer m_later;
    QString m_fileError;          ///< the last displayed error
    FileWatch m_files;            ///< CUDA files
    SculptAction m_sculpting;     ///< action of the current stroke
    FieldAtSurface m_atSurface;   ///< the field at the surface of the last complete results
    QColor m_colour{220, 60, 40}; ///< the last colour set
    QList<QAction*> m_tools;      ///< the data of each action is its EditToolKind
    QList<QAction*> m_selecting;  ///< for clouds
    QList<QAction*> m_ofResults;  ///< for clouds and volumes
    QList<QAction*> m_doing;      ///< enabled while there is a selection
    QList<QAction*> m_ofSection;
    QMenu* m_keptMenu = nullptr; ///< lists the stored selections
    QAction* m_noMirror = nullptr;
};

} // namespace scanloupe::gui
