#pragma once
// Declares editing by hand in the window: tools in the views, their menus and panel, and the layers that come
// of them.
#include "engine/edit/trust_store.h"
#include "gui/app/edit_host.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/file_watch.h"
#include "gui/models/edit_tool.h"
#include "gui/models/field_at_surface.h"

#include <QAction>
#include <QColor>
#include <QList>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;

namespace scanloupe::gui {

class EditPanel;
class ExportRunner;
class MessageBar;
class ViewArea;

/// Turns what people do with tools, menus and panel into edits of the recipe. What it is given outlives it.
class EditSession : public QObject {
    Q_OBJECT
public:
    EditSession(EditHost& host, EditPanel& panel, ViewArea& views, MessageBar& messages,
                ExportRunner& exporter, QWidget* window);

    /// Adds the tools that select, and what is done to selected points.
    void buildSelectMenu(QMenu* menu);
    /// Adds the brushes that change the surface.
    void buildSculptMenu(QMenu* menu);
    /// Once the menus are there.
    void connectAll();

    EditTool& tool() { return m_tool; }
    /// What works on the section, while there is one.
    const QList<QAction*>& ofSection() const { return m_ofSection; }

    /// Shows selection and layers of the current recipe in the panel and in the menus.
    void show();
    /// A recipe that people have changed while a stroke goes on: without the stroke, which is given up.
    Recipe atRest(Recipe recipe);
    /// Gives up a stroke that goes on: it leaves nothing behind.
    void endStroke();
    /// Makes a layer of a CUDA file, which is tried again whenever it is saved.
    void addCudaFile(const QString& path);
    /// A run failed: whether it was the trial of a CUDA file, of which nothing stays then.
    bool endFailedTrial(const QString& sentence, const QString& nextStep);
    /// People have cancelled a run.
    void dropTrial() { m_trial.reset(); }
    /// The code that layers may run.
    std::shared_ptr<const TrustedCode> trustedCode() const { return m_trust.code(); }
    /// Asks whether CUDA code of recipes from a file may run, once for all. Hides the layers whose code may
    /// not or can't. @returns the note that says so; empty: none was hidden
    QString approveLayersOf(const std::vector<Recipe*>& recipes);
    /// Shows the layers that approveLayersOf() has hidden, as their file has them: what is saved keeps them.
    void restoreBlocked(const std::vector<Recipe*>& recipes) const;
    /// Another scan is opened.
    void leaveScan();

signals:
    void logged(const QString& line);

private:
    void addToolKind(QMenu* menu, EditToolKind kind, const char* icon, const QString& text,
                     const QKeySequence& keys);
    void buildFunctionMenu(QMenu* menu);
    /// Adds what is done to the selection; returns what is for it alone.
    QList<QAction*> buildEditActions(QMenu* menu);
    void buildKeptMenu();
    void showTool();
    /// People have selected points, or changed layers: a step of the history.
    /// @param colourBy of Recipe, which shows what is new; empty: as it is
    void changeEdits(const Edits& edits, const std::string& colourBy = {});
    /// Does an action to the selection, as a layer.
    void addLayer(const EditAction& action, const QString& name, const std::string& colourBy = {});
    /// A brush goes on.
    void takeStroke(const SelectionStep& added, const std::optional<SelectionStep>& whole);
    void dropStroke();
    /// Of the recipe, without a stroke that goes on, which is given up.
    const Edits& editsAtRest();
    Edits withStrokeOf(Edits edits, const SelectionStep& step);
    /// What a stroke that begins now does.
    SculptAction sculptAction(SculptTool tool) const;
    static QString sculptText(SculptTool tool);
    /// Adds the planes that strokes are mirrored at.
    void buildMirrorMenu(QMenu* menu);
    /// The plane across an axis through the middle of what is shown; none without results.
    std::optional<MirrorPlane> planeAcross(int axis) const;
    void selectBy();
    void selectByFormula();
    void computeAttribute();
    void setClass();
    void setColour();
    void moveSelection();
    void saveSelection(bool removes);
    /// Removes the selected points of results, which were written to a file of their own, in a layer.
    void removeWritten(const Snapshot& of, const std::string& name);
    void keepSelection();
    void newCudaFile(CudaFunction function);
    /// Prompts for a path that ends with ".cu", and that replaces no file unasked; empty: there is none.
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
    void note(const QString& sentence); ///< shows and logs it
    /// The scan or its edits changed while the user answered a question about them.
    void showStale();
    /// Whether the code that a file has now may run; asks unless the user edits the file.
    bool mayRun(const QString& file, const CudaFile& code);
    /// Whether it could be written.
    bool writeAndEdit(const QString& path, const std::string& source);
    void openInEditor(const QString& path);
    /// Watches the files that layers have, and those that are to become one.
    void followFiles();
    /// Runs with what a file holds now, in the layers that have it or in a new one. Results make it a step of
    /// the history, a failure leaves all as it was.
    void tryFile(const QString& file);
    void tryLater(const QString& file);
    /// Edits in which a file does `action`.
    Edits withFile(Edits edits, const QString& file, const CudaFileAction& action) const;
    /// Ends the trial of a file when the last results are of it; begins it again when others came first.
    void endTrial();
    /// Nothing is wrong with a file.
    void clearFile(const QString& file);
    void showFileError(const Failure& failure);
    QString chosenText() const; ///< their number, in words

    EditHost& m_host;
    EditPanel& m_panel;
    ViewArea& m_views;
    MessageBar& m_messages;
    ExportRunner& m_exporter;
    QWidget* m_window;
    EditTool m_tool;
    TrustStore m_trust;
    bool m_isAsking = false; ///< whether code may run
    using LayerPtr = std::shared_ptr<const EditLayer>;
    std::map<LayerPtr, LayerPtr>
        m_blocked;                 ///< hidden layers whose code was not approved, to those of their file
    QStringList m_ownFiles;        ///< that the user edits
    std::optional<Edits> m_before; ///< while a stroke goes on
    /// Edits with what a CUDA file holds now, of which results were asked for.
    struct Trial {
        QString file;
        Edits before, edits;
        std::string colourBy; ///< what shows colours or values that are new; else empty
    };
    std::optional<Trial> m_trial;
    QStringList m_wantedFiles; ///< that were chosen, but were not good yet
    QStringList m_laterFiles;  ///< that wait for what goes on
    QTimer m_later;
    QString m_fileError;          ///< that was shown last
    FileWatch m_files;            ///< CUDA files
    SculptAction m_sculpting;     ///< of the stroke
    FieldAtSurface m_atSurface;   ///< of the last results that were no preview
    QColor m_colour{220, 60, 40}; ///< that was set last
    QList<QAction*> m_tools;      ///< of the kinds of tools, in their order
    QList<QAction*> m_selecting;  ///< of clouds
    QList<QAction*> m_ofResults;  ///< of clouds and volumes
    QList<QAction*> m_doing;      ///< while something is selected
    QList<QAction*> m_ofSection;
    QMenu* m_keptMenu = nullptr; ///< of kept selections
    QAction* m_noMirror = nullptr;
};

} // namespace scanloupe::gui
