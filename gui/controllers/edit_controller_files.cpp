// CUDA files in the window: chosen or new, approved before they run, compiled when they are saved.
#include "gui/controllers/edit_controller.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/run_controller.h"
#include "gui/dialogs/code_dialog.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/panels/edit_panel.h"
#include "kernels/core/error.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QUrl>
#include <fmt/format.h>
#include <unordered_set>

namespace scanloupe::gui {

namespace {

const CudaFileAction* fileActionOf(const EditLayer& layer) {
    return std::get_if<CudaFileAction>(&layer.action);
}

/// The value of Recipe::colourBy that shows the result of a layer which is in `edits` but not in `before`;
/// empty: no such layer.
std::string coloursOf(const Edits& edits, const Edits& before) {
    if (edits.layers.size() == before.layers.size())
        return {};
    const CudaFileAction& action = *fileActionOf(*edits.layers.back());
    switch (action.file.function) {
    case CudaFunction::colour:
        return "rgb";
    case CudaFunction::value:
        return colourByAttribute(action.attribute);
    case CudaFunction::field:
        break;
    }
    return {};
}

bool isOfPoints(const CudaFileAction& action) {
    return action.file.function != CudaFunction::field;
}

/// The reason why the code is too long to be reviewed; empty if it is short enough.
QString refusalOf(const std::vector<CudaFile>& files) {
    std::size_t bytes = 0;
    for (const CudaFile& file : files)
        bytes += file.source.size();
    constexpr std::size_t maxFiles = 1000;
    if (bytes <= kMaxCudaFileBytes && files.size() <= maxFiles)
        return {};
    return EditController::tr("Layers with CUDA code are hidden: the project has more than 1 MB or 1000 "
                              "pieces of code, too much to review. Open a project with less code.");
}

} // namespace

void EditController::buildFunctionMenu(QMenu* menu) {
    menu->addSeparator();
    QMenu* functions = menu->addMenu(tr("CUDA"));
    const auto add = [&](const QString& text, std::function<void()> action) {
        return m_window.addTool(functions, nullptr, text, {}, std::move(action));
    };
    m_ofResults << add(tr("&Open CUDA File…"), [this] {
        const QString path = QFileDialog::getOpenFileName(&m_window.widget, tr("Open a CUDA file"), {},
                                                          tr("CUDA files (%1)").arg("*.cu"));
        if (!path.isEmpty())
            addCudaFile(path);
    });
    m_selecting << add(tr("New CUDA File for &Colours…"), [this] { newCudaFile(CudaFunction::colour); });
    m_selecting << add(tr("New CUDA File for &Attribute…"), [this] { newCudaFile(CudaFunction::value); });
    m_ofResults << add(tr("New CUDA File for &Surface…"), [this] { newCudaFile(CudaFunction::field); });
    QAction* edit = add(tr("&Edit CUDA File of Layer"), [this] { openFileOfLayer(); });
    m_panel.addLayerAction(edit, [](const EditLayer& layer) { return fileActionOf(layer) != nullptr; });
}

void EditController::newCudaFile(CudaFunction function) {
    const QString path = promptCudaPath(tr("Save the new CUDA file"),
                                        function == CudaFunction::colour  ? QStringLiteral("colour.cu")
                                        : function == CudaFunction::value ? QStringLiteral("value.cu")
                                                                          : QStringLiteral("surface.cu"));
    if (!path.isEmpty() && writeAndEdit(path, cudaFileTemplate(function, m_work.results()->cloud.get())))
        addCudaFile(path);
}

QString EditController::promptCudaPath(const QString& title, const QString& suggested) {
    return m_window.promptPath(&m_window.widget, title, suggested, tr("CUDA files (%1)").arg("*.cu"));
}

bool EditController::writeAndEdit(const QString& path, const std::string& source) {
    const Failure failure = saveText(path, source);
    m_window.showError(failure);
    if (failure.sentence.isEmpty())
        openInEditor(path);
    return failure.sentence.isEmpty();
}

void EditController::addCudaFile(const QString& path) {
    if (!m_work.results())
        return m_window.messages.showError(tr("Open a scan before loading a CUDA file."),
                                           tr("Open a scan, then choose the file again."));
    const QString file = QFileInfo(path).absoluteFilePath();
    if (!m_wantedFiles.contains(file))
        m_wantedFiles << file;
    followFiles();
    tryFile(file);
}

void EditController::followFiles() {
    QStringList files = m_wantedFiles;
    for (const auto& layer : m_work.recipe().edits.layers)
        if (const CudaFileAction* action = fileActionOf(*layer))
            files << rawText(action->file.file);
    files.removeDuplicates();
    m_files.setFiles(files);
}

void EditController::tryFile(const QString& file) {
    if (!m_work.results())
        return;
    if (m_isAsking || m_before || (m_trial && m_trial->file != file)) // a stroke is not interrupted
        return tryLater(file);
    m_trial.reset(); // the trial was of the file's previous text
    const Edits before = m_work.recipe().edits;
    Edits edits = before;
    try {
        CudaFileAction action = cudaFileAction(rawPath(file), readCudaFile(rawPath(file)), m_work.up());
        if (isOfPoints(action) && !m_work.results()->cloud)
            throw EngineError(fmt::format("The CUDA file {} processes points, but a volume has no points",
                                          action.file.name()),
                              "Define a function of the field instead: __device__ float field(Node n).");
        if (!mayRun(file, action.file))
            return followFiles();
        action.level = m_atSurface.level;
        action.slope = m_atSurface.slope;
        edits = withFile(std::move(edits), file, action);
    } catch (...) {
        return showFileError(failureOf(std::current_exception(), {}));
    }
    if (edits == before)
        return clearFile(file);
    m_trial = Trial{file, before, edits, coloursOf(edits, before)};
    Recipe recipe = m_work.recipe();
    recipe.edits = std::move(edits);
    m_work.tryRecipe(recipe);
    endTrial(); // a hidden layer does not change the results
}

void EditController::tryLater(const QString& file) {
    if (!m_laterFiles.contains(file))
        m_laterFiles << file;
    m_later.start();
}

Edits EditController::withFile(Edits edits, const QString& file, const CudaFileAction& action) const {
    if (m_wantedFiles.contains(file)) {
        const std::string name = action.file.name();
        if (isOfPoints(action))
            return withLayerOfSelectedOrAll(std::move(edits), action, name);
        edits.layers.push_back(std::make_shared<const EditLayer>(EditLayer{name, false, {}, action}));
        return edits;
    }
    for (std::size_t i = 0; i < edits.layers.size(); ++i) {
        const CudaFileAction* old = fileActionOf(*edits.layers[i]);
        if (!old || rawText(old->file.file) != file || old->file.source == action.file.source)
            continue;
        edits = withChangedLayer(std::move(edits), i, [&](EditLayer& layer) {
            CudaFileAction next = action;
            if (!isOfPoints(action) && !isOfPoints(*fileActionOf(layer))) {
                next.level = fileActionOf(layer)->level;
                next.slope = fileActionOf(layer)->slope;
            }
            // the selection belonged to the function of the field
            if (isOfPoints(action) && layer.selection.empty())
                layer.selection.steps = {stepOf(SetOperation::replace, InvertRegion{})};
            layer.action = next;
        });
    }
    return edits;
}

void EditController::endTrial() {
    if (!m_trial || !m_work.results() || m_work.results()->preview)
        return;
    const auto have = [](const Recipe& recipe, const Edits& edits) {
        return haveSameEffect(recipe.edits.layers, edits.layers);
    };
    if (have(m_work.results()->recipe, m_trial->edits) && m_work.recipe().edits == m_trial->before) {
        const Trial done = *std::exchange(m_trial, std::nullopt);
        clearFile(done.file);
        changeEdits(done.edits, done.colourBy);
    } else if (!have(m_window.jobs.runner().recipe(), m_trial->edits) && !m_run.isAwaiting()) {
        tryLater(std::exchange(m_trial, std::nullopt)->file); // other results were requested meanwhile
    }
}

void EditController::clearFile(const QString& file) {
    m_wantedFiles.removeAll(file);
    if (m_window.messages.isError() && m_window.messages.text() == m_fileError)
        m_window.messages.dismiss();
}

bool EditController::endFailedTrial(const QString& sentence, const QString& nextStep) {
    if (!m_trial || !haveSameEffect(m_window.jobs.runner().recipe().edits.layers, m_trial->edits.layers))
        return false;
    m_trial.reset();
    m_work.showRecipe(m_work.recipe());
    showFileError({sentence, nextStep});
    return true;
}

void EditController::showFileError(const Failure& failure) {
    m_window.showError(failure);
    m_fileError = m_window.messages.text();
}

bool EditController::approve(const std::vector<CudaFile>& files) {
    if (files.empty())
        return true;
    if (const QString why = refusalOf(files); !why.isEmpty()) {
        note(why);
        return false;
    }
    m_isAsking = true;
    CodeDialog dialog(files, &m_window.widget);
    const bool isApproved = dialog.exec() == QDialog::Accepted;
    m_isAsking = false;
    for (const CudaFile& file : files)
        if (isApproved)
            trust(file.source);
    return isApproved;
}

void EditController::trust(const std::string& source) {
    if (!m_trust.remember(source))
        m_window.messages.showNote(
            tr("Your approval of this code could not be stored. It is valid until you close the program."));
}

QString EditController::approveLayersOf(const std::vector<Recipe*>& recipes) {
    std::vector<CudaFile> files;
    std::unordered_set<std::string> sources;
    for (const Recipe* recipe : recipes)
        for (CudaFile& file : untrustedFiles(recipe->edits.layers, *m_trust.code()))
            if (sources.insert(file.source).second)
                files.push_back(std::move(file));
    const QString refusal = refusalOf(files);
    const bool isApproved = refusal.isEmpty() && approve(files);
    const TrustedCode none;
    const bool hides = hideLayers(
        recipes, m_window.jobs.runner().backend().backend == Backend::cuda ? *m_trust.code() : none);
    QString sentence;
    if (!refusal.isEmpty())
        sentence = refusal;
    else if (!isApproved)
        sentence = tr("Layers with CUDA code are hidden, since you have not approved their code. Show one in "
                      "the Edits panel to be asked again.");
    else if (hides)
        sentence = tr("Layers with CUDA code are not applied, since the device in use does not run CUDA. "
                      "They are kept and saved unchanged. To apply them, choose an NVIDIA GPU in the status "
                      "bar and show the layers in the Edits panel.");
    if (!sentence.isEmpty())
        note(sentence);
    return sentence;
}

bool EditController::hideLayers(const std::vector<Recipe*>& recipes, const TrustedCode& code) {
    bool hides = false;
    for (Recipe* recipe : recipes) {
        const EditLayers before = recipe->edits.layers;
        recipe->edits.layers = withoutUntrusted(before, code);
        for (std::size_t i = 0; i < before.size(); ++i)
            if (recipe->edits.layers[i] != before[i]) {
                m_blocked[recipe->edits.layers[i]] = before[i];
                hides = true;
            }
    }
    return hides;
}

void EditController::note(const QString& sentence) {
    m_window.messages.showNote(sentence);
    emit logged(sentence);
}

void EditController::restoreBlocked(const std::vector<Recipe*>& recipes) const {
    for (Recipe* recipe : recipes)
        for (auto& layer : recipe->edits.layers)
            if (const auto found = m_blocked.find(layer); found != m_blocked.end())
                layer = found->second;
}

bool EditController::mayRun(const QString& file, const CudaFile& code) {
    if (m_trust.has(code.source))
        return true;
    if (m_ownFiles.contains(file)) { // presumably saved by the user in an editor
        m_trust.add(code.source);
        return true;
    }
    if (!approve({code})) {
        m_wantedFiles.removeAll(file);
        note(tr("The code of %1 was not run.").arg(shownText(code.name())));
        return false;
    }
    if (m_wantedFiles.contains(
            // code of a file that the user chose is approved; other files need a new approval when they
            // change
            file))
        m_ownFiles << file;
    return true;
}

void EditController::openInEditor(const QString& path) {
    m_ownFiles << path;
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        m_window.messages.showNote(
            tr("Open %1 in your editor. The views update whenever you save it.").arg(path));
}

bool EditController::isFileOf(const QString& path, const CudaFile& file) {
    const QFileInfo found(path);
    // a URL must open the file that was checked: //host names another machine, and other bytes another file
    if (!found.isAbsolute() || path.startsWith(QLatin1String("//")) ||
        found.canonicalFilePath() != found.absoluteFilePath() ||
        path.toUtf8().toStdString() != rawBytes(path))
        return false;
    if (!found.isFile() || found.isSymLink() || found.isExecutable() ||
        found.suffix().compare(QLatin1String("cu"), Qt::CaseInsensitive) != 0)
        return false;
    try {
        return readCudaFile(rawPath(path)) == file.source;
    } catch (const Error&) {
        return false;
    }
}

void EditController::openFileOfLayer() {
    const auto layer = m_panel.currentLayer();
    const Edits edits = editsAtRest();
    const auto* action = layer && *layer < edits.layers.size()
                             ? std::get_if<CudaFileAction>(&edits.layers[*layer]->action)
                             : nullptr;
    // opening a file in another program may run more than it shows
    if (!action || (!m_trust.has(action->file.source) && !approve({action->file})))
        return;
    if (editsAtRest() != edits)
        return showStale();
    const QString file = rawText(action->file.file);
    if (isFileOf(file, action->file))
        return openInEditor(file);
    // the project is from elsewhere, or the file has changed: save the layer's code to a new file
    const QString path = promptCudaPath(tr("Save the layer's code to a new file"),
                                        QFileInfo(file).completeBaseName() + QStringLiteral(".cu"));
    if (editsAtRest() != edits) // the scan or its layers changed while the dialog was open
        return showStale();
    if (path.isEmpty() || !writeAndEdit(path, action->file.source))
        return;
    changeEdits(withChangedLayer(editsAtRest(), *layer, [&](EditLayer& changed) {
        std::get<CudaFileAction>(changed.action).file.file = rawBytes(path);
    }));
}

} // namespace scanloupe::gui
