// Finds the motion that aligns picked pairs of points.
#include "gui/dialogs/pairs_dialog.h"

#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/reference_picture.h"
#include "engine/picture/picture_scene.h"
#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/fit_to_screen.h"
#include "gui/dialogs/pick_pane.h"
#include "gui/text/number_text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

namespace scanloupe::gui {

namespace {

enum Column { kScanColumn, kReferenceColumn, kApartColumn };

/// Draws a scan's points with different cameras, one after the other.
class ScanDrawer {
public:
    explicit ScanDrawer(SnapshotPtr shown) : m_shown(std::move(shown)) {}

    SnapshotPtr draw(const Camera& camera, QSize size, const std::stop_token& stop) {
        if (!m_scene) {
            Recipe look = m_shown->resolved;
            look.show = PictureContent::points;
            m_scene = std::make_unique<const PictureScene>(*m_shown, look, DevicePlace{}, stop);
        }
        DrawnPixels drawn = m_scene->draw(m_scene->projection(camera, size.width(), size.height()), stop);
        Picture picture;
        picture.visibility = DeviceOrHost(std::move(drawn.visibility));
        picture.image = DeviceOrHost(std::move(drawn.image));
        picture.camera = camera;
        picture.finished = std::chrono::steady_clock::now();
        auto with = std::make_shared<Snapshot>(*m_shown);
        with->picture = std::make_shared<const Picture>(std::move(picture));
        return with;
    }

private:
    SnapshotPtr m_shown;
    std::unique_ptr<const PictureScene> m_scene; ///< the scene of the first call, reused by the others
};

SnapshotPtr drawReference(const std::shared_ptr<const Reference>& reference, const Camera& camera, QSize size,
                          const std::stop_token& stop) {
    auto with = std::make_shared<Snapshot>();
    with->reference = reference;
    with->picture = std::make_shared<const Picture>(
        referencePicture(*reference, camera, size.width(), size.height(), stop));
    return with;
}

QString placeText(const std::optional<Vec3d>& place) {
    return place ? QStringLiteral("%1  %2  %3")
                       .arg(numberText(place->x), numberText(place->y), numberText(place->z))
                 : PairsDialog::tr("not picked");
}

} // namespace

PairsDialog::PairsDialog(const SnapshotPtr& shown, const ViewContext& context, LengthUnit unit,
                         QWidget* parent)
    : QDialog(parent), m_shown(shown), m_unit(unit),
      m_scan(new PickPane(tr("Scan"), context,
                          [drawer = std::make_shared<ScanDrawer>(shown)](const Camera& camera, QSize size,
                                                                         const std::stop_token& stop) {
                              return drawer->draw(camera, size, stop);
                          })),
      m_reference(new PickPane(
          shownText(shown->reference->name), context,
          [reference = shown->reference](const Camera& camera, QSize size, const std::stop_token& stop) {
              return drawReference(reference, camera, size, stop);
          })),
      m_model(new QStandardItemModel(0, 3, this)), m_table(compactTable(m_model, this)),
      m_sentence(new QLabel), m_freeScale(new QCheckBox(tr("Also find the &scale"))),
      m_remove(new QPushButton(tr("&Remove Pair"))) {
    setWindowTitle(tr("Match Picked Pairs"));
    const UpAxis up = shown->resolved->up.value_or(UpAxis::z);
    m_scan->camera().setBounds(context.camera.bounds());
    m_reference->camera().setBounds(shown->reference->bounds);
    for (PickPane* pane : {m_scan, m_reference}) {
        pane->camera().setUp(up);
        pane->camera().fit(1); // half of the dialog is approximately square
    }

    auto* panes = new QHBoxLayout;
    panes->addWidget(m_scan, 1);
    panes->addWidget(m_reference, 1);
    m_model->setHorizontalHeaderLabels({tr("Scan"), tr("Reference"), tr("Residual")});
    m_table->setAccessibleName(tr("Point pairs"));
    m_table->verticalHeader()->show(); // the row numbers are the numbers of the marks
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setMaximumHeight(9 * fontMetrics().lineSpacing());
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* choices = new QHBoxLayout;
    choices->addWidget(m_freeScale);
    choices->addStretch(1);
    choices->addWidget(m_remove);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_move = buttons->addButton(tr("&Move Scan"), QDialogButtonBox::AcceptRole);
    auto* column = new QVBoxLayout(this);
    column->addLayout(panes, 1);
    column->addWidget(m_sentence);
    column->addWidget(m_table);
    column->addLayout(choices);
    column->addWidget(buttons);
    resizeOnScreen(this, {1000, 720});

    connect(m_scan, &PickPane::picked, this, [this](const Hit& hit) {
        const bool isPoint = hit.kind == PrimitiveKind::point && hit.index < m_shown->cloud->size();
        take(Side::scan, isPoint ? m_shown->cloud->position(hit.index) : hit.position);
    });
    connect(m_reference, &PickPane::picked, this, [this](const Hit& hit) {
        take(Side::reference, referencePlace(*m_shown->reference, hit.kind, hit.index, hit.position));
    });
    for (PickPane* pane : {m_scan, m_reference})
        connect(pane, &PickPane::failed, this, &PairsDialog::tell);
    connect(m_remove, &QPushButton::clicked, this, &PairsDialog::removeChosen);
    connect(m_freeScale, &QCheckBox::toggled, this, &PairsDialog::solve);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    solve();
}

QString PairsDialog::sentence() const {
    return m_sentence->text();
}

void PairsDialog::tell(const QString& sentence) {
    m_sentence->setText(sentence);
}

std::optional<std::size_t> PairsDialog::chosen() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(std::size_t(rows.first().row()));
}

void PairsDialog::take(Side side, Vec3d place) {
    const auto row = chosen();
    if (row) {
        m_pairs[*row].at(side) = place;
    } else {
        const auto open = std::ranges::find_if(m_pairs, [&](Pair& pair) { return !pair.at(side); });
        (open != m_pairs.end() ? *open : m_pairs.emplace_back()).at(side) = place;
    }
    solve();
    if (row && m_pairs[*row].scan && m_pairs[*row].reference)
        m_table->clearSelection(); // further clicks make further pairs
    else if (row)
        m_table->selectRow(int(*row));
}

void PairsDialog::removeChosen() {
    if (m_pairs.empty())
        return;
    m_pairs.erase(m_pairs.begin() + std::ptrdiff_t(chosen().value_or(m_pairs.size() - 1)));
    solve();
}

void PairsDialog::solve() {
    std::vector<PickedPair> whole;
    for (const Pair& pair : m_pairs)
        if (pair.scan && pair.reference)
            whole.push_back({*pair.scan, *pair.reference});
    m_orientation.reset();
    if (whole.size() < 3) {
        tell(tr("Click the same point in both pictures, for at least three pairs. Drag to rotate a picture, "
                "turn the wheel to zoom."));
    } else {
        try {
            m_orientation = absoluteOrientation(whole, m_freeScale->isChecked());
            QString text = tr("%n pairs: residual %1 (RMS), maximum %2.", nullptr, int(whole.size()))
                               .arg(lengthText(m_orientation->rms, m_unit),
                                    lengthText(std::ranges::max(m_orientation->residuals), m_unit));
            if (m_freeScale->isChecked())
                text += QLatin1Char(' ') + tr("The reference is scaled by %1.")
                                               .arg(QLocale().toString(1 / m_orientation->scale, 'g', 7));
            tell(text);
        } catch (const Error& error) {
            tell(QString::fromUtf8(error.what()) + QLatin1Char(' ') +
                 QString::fromStdString(error.nextStep()));
        }
    }
    showPairs();
}

void PairsDialog::showPairs() {
    std::vector<std::optional<Vec3d>> ofScan, ofReference;
    m_model->removeRows(0, m_model->rowCount());
    std::size_t solved = 0;
    for (const Pair& pair : m_pairs) {
        ofScan.push_back(pair.scan);
        ofReference.push_back(pair.reference);
        QString apart;
        if (m_orientation && pair.scan && pair.reference)
            apart = lengthText(m_orientation->residuals[solved++], m_unit);
        QList<QStandardItem*> row;
        for (const QString& text : {placeText(pair.scan), placeText(pair.reference), apart}) {
            row << new QStandardItem(text);
            row.last()->setEditable(false);
        }
        m_model->appendRow(row);
    }
    m_scan->setPlaces(ofScan);
    m_reference->setPlaces(ofReference);
    m_remove->setEnabled(!m_pairs.empty());
    m_move->setEnabled(m_orientation.has_value());
}

} // namespace scanloupe::gui
