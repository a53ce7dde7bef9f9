// Prompts for the content and the file of an export, and provides the function that writes it.
#include "gui/dialogs/export_dialog.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/graph/stage_table.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/formats.h"
#include "engine/io/points_in_range.h"
#include "engine/io/volume/read_volume.h"
#include "engine/io/writers.h"
#include "engine/picture/picture_sheet.h"
#include "engine/picture/vertex_channels.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/point_attributes.h"
#include "engine/results/point_export.h"
#include "engine/results/quality.h"
#include "engine/results/voxel_export.h"
#include "gui/base/raw_text.h"
#include "gui/controls/save_file.h"
#include "gui/dialogs/picture_options.h"
#include "gui/jobs/failure.h"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace scanloupe::gui {

namespace {

const std::vector<std::string>& endingsOf(ExportDialog::What what) {
    static const std::vector<std::string> picture{".png"};
    switch (what) {
    case ExportDialog::What::points:
        return cloudEndings();
    case ExportDialog::What::mesh:
        return meshEndings();
    case ExportDialog::What::voxels:
        return voxelEndings();
    case ExportDialog::What::picture:
        break;
    }
    return picture;
}

QString joinedEndings(ExportDialog::What what) {
    QStringList names;
    for (const std::string& ending : endingsOf(what))
        names << QString::fromStdString(ending);
    return names.join(QStringLiteral(", "));
}

/// A sheet with a single picture.
ViewSheet singlePicture(PictureContent content) {
    return {{{content, {0, 0, 1, 1}}}, {}};
}

void writePicture(const std::filesystem::path& target, const Snapshot& s, const ViewSheet& sheet,
                  const Camera& camera, QSize pixels, const ProgressFunction& progress,
                  const std::stop_token& stop) {
    std::map<PictureContent, std::unique_ptr<const PictureScene>> scenes;
    std::vector<SheetPanel> panels;
    for (const ViewSheet::Panel& panel : sheet.panels) {
        Recipe look = s.resolved;
        look.show = panel.content.value_or(look.show);
        const bool wantsDistances = takes(Stage::scene, Stage::quality, look, s.volume != nullptr);
        if (wantsDistances && !(s.quality && s.quality->ofAllPoints()))
            throw EngineError(
                ExportDialog::tr("Some distances from points to the mesh are not measured yet.")
                    .toStdString(),
                ExportDialog::tr("Show points or voxels in the rasterized view, then save again.")
                    .toStdString());
        auto& scene = scenes[look.show];
        if (!scene) // on the CPU, since the views use the device
            scene = std::make_unique<const PictureScene>(s, look, DevicePlace{}, stop);
        const int left = int(std::lround(panel.place.left() * pixels.width())),
                  top = int(std::lround(panel.place.top() * pixels.height())),
                  right = int(std::lround(panel.place.right() * pixels.width())),
                  bottom = int(std::lround(panel.place.bottom() * pixels.height()));
        if (right > left && bottom > top)
            panels.push_back({*scene, left, top, right - left, bottom - top});
    }
    PictureSheet rows(panels, camera, pixels.width(), pixels.height(),
                      {.samples = int(s.resolved->samples), .progress = progress}, stop);
    writeImage(target, rows.width(), rows.height(), [&rows](int first) { return rows.rowsFrom(first); });
}

} // namespace

ExportDialog::ExportDialog(SnapshotPtr snapshot, const Camera& camera,
                           const std::vector<std::filesystem::path>& scans, QWidget* parent)
    : QDialog(parent), m_snapshot(std::move(snapshot)), m_camera(camera), m_outputs(outputCheckFor(scans)),
      m_what(new QButtonGroup(this)), m_picture(new PictureOptions(*m_snapshot)), m_path(new QLineEdit),
      m_hint(new QLabel),
      m_lossWorker(
          [this](const Losses& losses) {
              m_losses = losses;
              showValidity();
          },
          // not reported here: writing will fail with the same error and report it
          [this](const std::exception_ptr&) {
              m_losses = {lowerEnding(rawPath(path())), {tr("the losses of this format are unknown")}};
              showValidity();
          }) {
    setWindowTitle(tr("Export"));
    const QLocale locale;
    const QString mesh =
        tr("Surface: %1 triangles").arg(locale.toString(qulonglong(m_snapshot->mesh->triangleCount())));
    const QString voxels =
        tr("Voxels: %1")
            .arg(locale.toString(qulonglong(m_snapshot->voxels ? m_snapshot->voxels->size() : 0)));
    const QString points = tr("Points: %1").arg(m_snapshot->cloud ? pointsText() : locale.toString(0));
    auto* column = new QVBoxLayout(this);
    column->addWidget(new QLabel(tr("What to export:")));
    for (const auto& [what, text] : {std::pair{What::points, points},
                                     {What::mesh, mesh},
                                     {What::voxels, voxels},
                                     {What::picture, tr("Picture")}}) {
        auto* button = new QRadioButton(text);
        m_what->addButton(button, int(what));
        column->addWidget(button);
    }
    for (const What ofCloud : {What::points, What::voxels})
        m_what->button(int(ofCloud))->setEnabled(bool(m_snapshot->voxels));
    column->addWidget(m_picture);

    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("&File:"));
    label->setBuddy(m_path);
    auto* browseButton = new QPushButton(tr("&Browse…"));
    line->addWidget(label);
    line->addWidget(m_path, 1);
    line->addWidget(browseButton);
    column->addSpacing(8);
    column->addLayout(line);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    // lines of the longest hint, so that none is cut
    m_hint->setMinimumHeight(4 * fontMetrics().lineSpacing());
    column->addWidget(m_hint);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    m_save = buttons->button(QDialogButtonBox::Save);
    column->addWidget(buttons);

    connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_what, &QButtonGroup::idClicked, this, [this](int id) { choose(What(id)); });
    connect(m_path, &QLineEdit::textChanged, this, &ExportDialog::showValidity);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, [this] { keepExportFolder(path()); });
    setMinimumWidth(520);
    choose(What::mesh);
}

ExportDialog::What ExportDialog::what() const {
    return What(m_what->checkedId());
}
QString ExportDialog::path() const {
    return m_path->text().trimmed();
}
void ExportDialog::setPath(const QString& path) {
    m_path->setText(path);
}

void ExportDialog::setSheet(const ViewSheet& sheet) {
    m_sheet = sheet;
    m_picture->offerAllViews(sheet.pixels);
}

void ExportDialog::choose(What what) {
    m_what->button(int(what))->setChecked(true);
    m_picture->setEnabled(what == What::picture);
    showSuggestion();
}

void ExportDialog::showSuggestion() {
    const char* const endings[] = {"_points.las", ".glb", "_voxels.ply", ".png"}; // in the order of What
    const QString ending = endings[int(what())];
    if (!path().isEmpty() && path() != m_suggested) { // the user's own name is kept, with a matching ending
        const QFileInfo file(path());
        if (!fits(file.suffix()))
            m_path->setText(
                QDir(file.path()).filePath(file.completeBaseName() + ending.mid(ending.indexOf('.'))));
    } else {
        const std::string& source = m_snapshot->cloud ? m_snapshot->cloud->path : m_snapshot->volume->path;
        const QString base =
            source.empty() ? QStringLiteral("scan") : QFileInfo(rawText(source)).completeBaseName();
        const QString besideIt =
            source.empty() ? QDir::homePath() : QFileInfo(rawText(source)).absolutePath();
        m_suggested = QDir(exportFolder(besideIt)).filePath(base + ending);
        m_path->setText(m_suggested);
    }
    showValidity();
}

bool ExportDialog::fits(const QString& suffix) const {
    const auto& known = endingsOf(what());
    return std::find(known.begin(), known.end(), "." + suffix.toLower().toStdString()) != known.end();
}

void ExportDialog::showValidity() {
    const bool known = fits(QFileInfo(path()).suffix());
    const bool exists = isThere(path());
    const Failure refusal = known && exists ? checkOutput(path(), m_outputs) : Failure{};
    m_save->setEnabled(known && refusal.sentence.isEmpty());
    m_save->setText(known && exists ? tr("&Replace") : tr("&Save"));
    QString hint;
    if (!known)
        hint = tr("The file extension sets the format: %1.").arg(joinedEndings(what()));
    else if (!refusal.sentence.isEmpty())
        hint = refusal.sentence + QLatin1Char(' ') + refusal.nextStep;
    else if (exists)
        hint = tr("This file exists and will be replaced.") + QLatin1Char(' ') + formatHint();
    else
        hint = formatHint();
    m_hint->setText(hint);
    if (known)
        lookForLosses();
}

QString ExportDialog::formatHint() const {
    QString own = tr("Coordinates are written in the scan's own frame.");
    if (what() == What::points)
        return own + QLatin1Char(' ') + pointsHint();
    if (what() == What::picture)
        return tr("Drawn by the software rasterizer, with the camera of the views.");
    if (what() == What::voxels)
        return own;
    std::vector<MeshChannel> names; // only the names are used here
    if (m_snapshot->cloud) {
        for (const Attribute* attribute : attributesInOrder(*m_snapshot->cloud)) {
            names.push_back({{attribute->name}, {}});
            if (isCategorical(*attribute) && attribute->isLoaded())
                names.back().category = std::make_shared<const Category>(outermostClasses(*attribute));
        }
    }
    const WriteOptions options{m_snapshot->origin(), {}, names};
    QStringList sentences;
    for (const std::string& loss : meshLosses(
             rawPath(path()), colourModeOf(m_snapshot->resolved->colourBy).data != ColourData::none, options))
        sentences << QString::fromStdString(loss) + QLatin1Char('.');
    const bool isLocal =
        QFileInfo(path()).suffix().toLower() == QLatin1String("stl") && !(options.origin == Vec3d{});
    if (!isLocal)
        sentences.prepend(own);
    return sentences.join(QLatin1Char(' '));
}

QString ExportDialog::pointsHint() const {
    if (m_losses.ending != lowerEnding(rawPath(path())))
        return tr("Checking what this format cannot store…");
    QString sentence = tr("All attributes are kept.");
    if (!m_losses.sentences.isEmpty())
        sentence = tr("Lost: %1.").arg(m_losses.sentences.join(QStringLiteral("; ")));
    return sentence;
}

void ExportDialog::lookForLosses() {
    const std::filesystem::path target = rawPath(path());
    if (what() != What::points || m_losses.ending == lowerEnding(target))
        return;
    m_lossWorker.run([target, cloud = m_snapshot->cloud](const std::stop_token& stop) {
        Losses found{lowerEnding(target), {}};
        for (const std::string& loss : cloudLosses(target, *cloud, stop))
            found.sentences << QString::fromStdString(loss);
        return found;
    });
}

void ExportDialog::browse() {
    const QString filter = patternsOf(endingsOf(what()));
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Export"), path(), filter, nullptr,
                                                        QFileDialog::DontConfirmOverwrite);
    if (!chosen.isEmpty())
        m_path->setText(withEnding(chosen, filter));
}

QString ExportDialog::pointsText() const {
    const auto text = [](std::uint64_t count) { return QLocale().toString(qulonglong(count)); };
    const std::uint64_t all = m_snapshot->cloud->size();
    const std::optional<std::uint64_t> written = countToWrite(*m_snapshot);
    if (!written)
        return tr("those of %1 inside the section and range").arg(text(all));
    return *written == all ? text(all) : tr("%1 of %2").arg(text(*written), text(all));
}

QString ExportDialog::description() const {
    const QString name = shownText(path());
    switch (what()) {
    case What::points:
        return tr("points to %1 (%2)").arg(name, pointsText());
    case What::mesh:
        return tr("surface to %1").arg(name);
    case What::voxels:
        return tr("voxels to %1").arg(name);
    case What::picture:
        break;
    }
    return tr("picture to %1").arg(name);
}

ExportJob ExportDialog::job() const {
    ExportJob job{description(), rawPath(path()), m_snapshot, {}};
    const What kind = what();
    const PictureContent content = m_picture->content();
    const QSize pixels = m_picture->pixels();
    const bool ofAllViews = m_picture->isOfAllViews();
    job.write = [target = job.target, kind, content, pixels, ofAllViews, sheet = m_sheet, camera = m_camera](
                    const Snapshot& s, const ProgressFunction& progress, const std::stop_token& stop) {
        WriteOptions options{s.origin(), progress};
        if (kind == What::points) {
            const auto some = selectPoints(s.cloud, rowsToWrite(*s.cloud, s.recipe, s.resolved, stop), stop);
            writeCloud(target, *some, {{}, progress}, stop);
        } else if (kind == What::mesh) {
            const auto channels = meshVertexChannels(s, stop);
            options.channels = channels;
            writeMesh(target, s.mesh.host(), meshVertexColours(s, stop), options, stop);
        } else if (kind == What::voxels) {
            writeVoxelsOf(s, target, options, stop);
        } else {
            writePicture(target, s, ofAllViews ? sheet : singlePicture(content), camera, pixels, progress,
                         stop);
        }
    };
    return job;
}

} // namespace scanloupe::gui
