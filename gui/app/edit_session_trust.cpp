// Asks before CUDA code of opened files runs, and opens files of layers in an editor.
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "gui/app/code_dialog.h"
#include "gui/app/edit_session.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/panels/edit_panel.h"
#include "kernels/core/error.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>
#include <unordered_set>

namespace scanloupe::gui {

namespace {

/// Why code is not asked about: more than anyone reads. Empty: it can be.
QString refusalOf(const std::vector<CudaFile>& files) {
    std::size_t bytes = 0;
    for (const CudaFile& file : files)
        bytes += file.source.size();
    constexpr std::size_t maxFiles = 1000;
    if (bytes <= kMaxCudaFileBytes && files.size() <= maxFiles)
        return {};
    return EditSession::tr(
        "Layers with CUDA code are hidden: what you open has more than 1 MB or 1000 texts of "
        "it, too much to read and to approve. Open what has fewer of its files.");
}

} // namespace

bool EditSession::approve(const std::vector<CudaFile>& files) {
    if (files.empty())
        return true;
    if (const QString why = refusalOf(files); !why.isEmpty()) {
        note(why);
        return false;
    }
    m_isAsking = true;
    CodeDialog dialog(files, m_window);
    const bool isApproved = dialog.exec() == QDialog::Accepted;
    m_isAsking = false;
    for (const CudaFile& file : files)
        if (isApproved)
            trust(file.source);
    return isApproved;
}

void EditSession::trust(const std::string& source) {
    if (!m_trust.remember(source))
        m_messages.showNote(
            tr("Your approval of this code could not be stored. It holds until the program is "
               "closed."));
}

QString EditSession::approveLayersOf(const std::vector<Recipe*>& recipes) {
    std::vector<CudaFile> files;
    std::unordered_set<std::string> sources;
    for (const Recipe* recipe : recipes)
        for (CudaFile& file : untrustedFiles(recipe->edits.layers, *m_trust.code()))
            if (sources.insert(file.source).second)
                files.push_back(std::move(file));
    const QString refusal = refusalOf(files);
    const bool isApproved = refusal.isEmpty() && approve(files);
    const TrustedCode none;
    const bool hides = hideLayers(recipes, m_host.runsCuda() ? *m_trust.code() : none);
    QString sentence;
    if (!refusal.isEmpty())
        sentence = refusal;
    else if (!isApproved)
        sentence = tr("Layers with CUDA code are hidden, since it was not approved. Show such a layer in the "
                      "Edits panel to be asked again.");
    else if (hides)
        sentence =
            tr("Layers with CUDA code are not applied, since the device in use does not run CUDA. They "
               "stay, and are saved unchanged. Choose an NVIDIA GPU in the status bar, and show them in "
               "the Edits panel.");
    if (!sentence.isEmpty())
        note(sentence);
    return sentence;
}

bool EditSession::hideLayers(const std::vector<Recipe*>& recipes, const TrustedCode& code) {
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

void EditSession::note(const QString& sentence) {
    m_messages.showNote(sentence);
    emit logged(sentence);
}

void EditSession::restoreBlocked(const std::vector<Recipe*>& recipes) const {
    for (Recipe* recipe : recipes)
        for (auto& layer : recipe->edits.layers)
            if (const auto found = m_blocked.find(layer); found != m_blocked.end())
                layer = found->second;
}

bool EditSession::mayRun(const QString& file, const CudaFile& code) {
    if (m_trust.has(code.source))
        return true;
    if (m_ownFiles.contains(file)) { // saved in the user's editor, as far as can be known: not for ever
        m_trust.add(code.source);
        return true;
    }
    if (!approve({code})) {
        m_wantedFiles.removeAll(file);
        note(tr("The code of %1 was not run.").arg(shownText(code.name())));
        return false;
    }
    if (m_wantedFiles.contains(file)) // the user's choice; others ask again when they change
        m_ownFiles << file;
    return true;
}

void EditSession::openInEditor(const QString& path) {
    m_ownFiles << path;
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        m_messages.showNote(tr("Open %1 in your editor: whenever you save it, the views follow.").arg(path));
}

bool EditSession::isFileOf(const QString& path, const CudaFile& file) {
    const QFileInfo found(path);
    // what is checked is what a URL opens: //host is one of another machine, other bytes are other names
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

void EditSession::openFileOfLayer() {
    const auto layer = m_panel.currentLayer();
    const Edits edits = editsAtRest();
    const auto* action = layer && *layer < edits.layers.size()
                             ? std::get_if<CudaFileAction>(&edits.layers[*layer]->action)
                             : nullptr;
    // it is handed to another program, which may do more with it than show it
    if (!action || (!m_trust.has(action->file.source) && !approve({action->file})))
        return;
    if (editsAtRest() != edits)
        return showStale();
    const QString file = rawText(action->file.file);
    if (isFileOf(file, action->file))
        return openInEditor(file);
    // a project from elsewhere, or another file: the layer has the text
    const QString path = promptCudaPath(tr("Save the layer's code to a new file"),
                                        QFileInfo(file).completeBaseName() + QStringLiteral(".cu"));
    if (editsAtRest() != edits) // another scan, or other layers, came while the user was asked
        return showStale();
    if (path.isEmpty() || !writeAndEdit(path, action->file.source))
        return;
    changeEdits(withChangedLayer(editsAtRest(), *layer, [&](EditLayer& changed) {
        std::get<CudaFileAction>(changed.action).file.file = rawBytes(path);
    }));
}

} // namespace scanloupe::gui
