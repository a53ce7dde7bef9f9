// CUDA files in the window: chosen or new, compiled when they are saved, the last good one kept.
#include "engine/cloud/error.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "engine/recipe/colour_mode.h"
#include "gui/app/edit_session.h"
#include "gui/app/menu_commands.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/save_file.h"
#include "gui/panels/edit_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <fmt/format.h>

namespace scanloupe::gui {

namespace {

const CudaFileAction* fileActionOf(const EditLayer& layer) {
    return std::get_if<CudaFileAction>(&layer.action);
}

/// What shows the colours or values of a layer that `edits` have and `before` didn't; empty: nothing.
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

} // namespace

void EditSession::buildFunctionMenu(QMenu* menu) {
    menu->addSeparator();
    QMenu* functions = menu->addMenu(tr("CUDA"));
    const auto add = [&](const QString& text, std::function<void()> action) {
        return addMenuTool(*m_window, functions, nullptr, text, {}, std::move(action));
    };
    m_ofResults << add(tr("&Open CUDA File…"), [this] {
        const QString path = QFileDialog::getOpenFileName(m_window, tr("Open a CUDA file"), {},
                                                          tr("CUDA files (%1)").arg("*.cu"));
        if (!path.isEmpty())
            addCudaFile(path);
    });
    m_selecting << add(tr("New CUDA File for &Colours…"), [this] { newCudaFile(CudaFunction::colour); });
    m_selecting << add(tr("New CUDA File for an &Attribute…"), [this] { newCudaFile(CudaFunction::value); });
    m_ofResults << add(tr("New CUDA File for the &Surface…"), [this] { newCudaFile(CudaFunction::field); });
    QAction* edit = add(tr("&Edit the Layer's CUDA File"), [this] { openFileOfLayer(); });
    m_panel.addLayerAction(edit, [](const EditLayer& layer) { return fileActionOf(layer) != nullptr; });
}

void EditSession::newCudaFile(CudaFunction function) {
    const QString path = promptCudaPath(tr("Save the new CUDA file"),
                                        function == CudaFunction::colour  ? QStringLiteral("colour.cu")
                                        : function == CudaFunction::value ? QStringLiteral("value.cu")
                                                                          : QStringLiteral("surface.cu"));
    if (!path.isEmpty() && writeAndEdit(path, cudaFileTemplate(function, m_host.results()->cloud.get())))
        addCudaFile(path);
}

QString EditSession::promptCudaPath(const QString& title, const QString& suggested) {
    return m_host.promptSavePath(m_window, title, suggested, tr("CUDA files (%1)").arg("*.cu"));
}

bool EditSession::writeAndEdit(const QString& path, const std::string& source) {
    const Failure failure = saveText(path, source);
    if (!failure.sentence.isEmpty()) {
        m_messages.showError(failure.sentence, failure.nextStep);
        return false;
    }
    openInEditor(path);
    return true;
}

void EditSession::addCudaFile(const QString& path) {
    if (!m_host.results())
        return m_messages.showError(tr("A CUDA file is for the scan that is open, and none is."),
                                    tr("Open a scan, then choose the file again."));
    const QString file = QFileInfo(path).absoluteFilePath();
    if (!m_wantedFiles.contains(file))
        m_wantedFiles << file;
    followFiles();
    tryFile(file);
}

void EditSession::followFiles() {
    QStringList files = m_wantedFiles;
    for (const auto& layer : m_host.recipe().edits.layers)
        if (const CudaFileAction* action = fileActionOf(*layer))
            files << rawText(action->file.file);
    files.removeDuplicates();
    m_files.setFiles(files);
}

void EditSession::tryFile(const QString& file) {
    if (!m_host.results())
        return;
    if (m_isAsking || m_before || (m_trial && m_trial->file != file)) // a stroke is not given up for it
        return tryLater(file);
    m_trial.reset(); // of an older text
    const Edits before = m_host.recipe().edits;
    Edits edits = before;
    try {
        CudaFileAction action = cudaFileAction(rawPath(file), readCudaFile(rawPath(file)), m_host.up());
        if (isOfPoints(action) && !m_host.results()->cloud)
            throw EngineError(fmt::format("The CUDA file {} has a function of points, and a volume has none",
                                          action.file.name()),
                              "Give it a function of the field: __device__ float field(Node n).");
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
    Recipe recipe = m_host.recipe();
    recipe.edits = std::move(edits);
    m_host.tryRecipe(recipe);
    endTrial(); // of a hidden layer, the results are the same
}

void EditSession::tryLater(const QString& file) {
    if (!m_laterFiles.contains(file))
        m_laterFiles << file;
    m_later.start();
}

Edits EditSession::withFile(Edits edits, const QString& file, const CudaFileAction& action) const {
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
            if (isOfPoints(action) && layer.selection.empty()) // it was of the field
                layer.selection.steps = {stepOf(SetOperation::replace, InvertRegion{})};
            layer.action = next;
        });
    }
    return edits;
}

void EditSession::endTrial() {
    if (!m_trial || !m_host.results() || m_host.results()->preview)
        return;
    const auto have = [](const Recipe& recipe, const Edits& edits) {
        return haveSameEffect(recipe.edits.layers, edits.layers);
    };
    if (have(m_host.results()->recipe, m_trial->edits) && m_host.recipe().edits == m_trial->before) {
        const Trial done = *std::exchange(m_trial, std::nullopt);
        clearFile(done.file);
        changeEdits(done.edits, done.colourBy);
    } else if (!have(m_host.askedRecipe(), m_trial->edits) && !m_host.isAwaiting()) {
        tryLater(std::exchange(m_trial, std::nullopt)->file); // something else was asked for meanwhile
    }
}

void EditSession::clearFile(const QString& file) {
    m_wantedFiles.removeAll(file);
    if (m_messages.isError() && m_messages.text() == m_fileError)
        m_messages.dismiss();
}

bool EditSession::endFailedTrial(const QString& sentence, const QString& nextStep) {
    if (!m_trial || !haveSameEffect(m_host.askedRecipe().edits.layers, m_trial->edits.layers))
        return false;
    m_trial.reset();
    m_host.takeRecipe(m_host.recipe(), EditHost::Step::none);
    showFileError({sentence, nextStep});
    return true;
}

void EditSession::showFileError(const Failure& failure) {
    m_messages.showError(failure.sentence, failure.nextStep);
    m_fileError = m_messages.text();
}

} // namespace scanloupe::gui
