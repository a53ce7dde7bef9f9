// Controls the alignment of the open scans, and shows their poses.
#include "gui/panels/align_panel.h"

#include "engine/cloud/error.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controls/column_scroll.h"
#include "gui/controls/compact_table.h"
#include "gui/controls/icons.h"
#include "gui/jobs/failure.h"
#include "gui/marks/pose_marks.h"
#include "gui/models/align_model.h"
#include "gui/panels/align_form.h"
#include "gui/text/number_text.h"
#include "gui/text/pose_verdict_text.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace scanloupe::gui {

AlignPanel::AlignPanel(Playlist& playlist, SavePathPrompt promptPath, QWidget* parent)
    : QWidget(parent), m_playlist(playlist), m_promptSavePath(std::move(promptPath)),
      m_runner(new AlignRunner(this)), m_model(new AlignModel(this)), m_table(compactTable(m_model, this)),
      m_form(new AlignForm(this)), m_aligned(new QCheckBox(tr("Use &aligned poses"), this)),
      m_state(new QLabel(this)), m_verdict(new QLabel(this)) {
    m_table->setAccessibleName(tr("Scans and their poses"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(AlignModel::scan, QHeaderView::Interactive);
    m_table->setColumnWidth(AlignModel::scan, 130);
    // leaves room for the sentence below it in a low dock
    m_table->setMinimumHeight(m_table->horizontalHeader()->sizeHint().height() +
                              m_table->verticalHeader()->defaultSectionSize());
    m_verdict->setObjectName(QStringLiteral("alignVerdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setTextElideMode(Qt::ElideMiddle);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 4, 0, 0);
    row->setSpacing(8);
    row->addWidget(makeControls());
    auto* results = new QVBoxLayout;
    results->setSpacing(2);
    results->addWidget(m_table, 1);
    results->addWidget(m_verdict);
    row->addLayout(results, 1);

    connect(&m_playlist, &Playlist::replaced, this, &AlignPanel::onPlaylistReplaced);
    connect(&m_playlist, &Playlist::moved, this, &AlignPanel::showState);
    connect(&m_playlist, &Playlist::moved, this, &AlignPanel::showMarks);
    connect(&m_playlist, &Playlist::togetherChanged, this, &AlignPanel::showMarks);
    connect(m_model, &AlignModel::checkedChanged, this, &AlignPanel::showState);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &AlignPanel::showVerdict);
    connect(m_model, &AlignModel::dataChanged, this, &AlignPanel::showVerdict);
    connect(m_runner, &AlignRunner::busyChanged, this, &AlignPanel::showState);
    connect(m_runner, &AlignRunner::failed, this, &AlignPanel::failed);
    connect(m_runner, &AlignRunner::finished, this, &AlignPanel::finish);
    connect(m_runner, &AlignRunner::aligned, this,
            [this](int scan, const AlignedScanPtr& result, const ScanSamplePtr& sample) {
                const int at = m_rows[std::size_t(scan)];
                m_samples[std::size_t(at)] = sample;
                m_model->setResult(at, result);
                m_table->scrollTo(m_model->index(at, 0));
                showState();
            });
    onPlaylistReplaced();
}

AlignPanel::~AlignPanel() = default;

QWidget* AlignPanel::makeControls() {
    auto* scroll = new ColumnScroll(this); // for a low dock
    auto* column = new QVBoxLayout(scroll->widget());
    column->setContentsMargins(0, 0, 4, 4);
    column->setSpacing(4);
    column->addWidget(m_form);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    m_align = addButton("align", tr("Align"), {}, &AlignPanel::align);
    m_together = addButton("together", tr("Show Together"), tr("All aligned scans as one cloud in the views"),
                           &AlignPanel::showTogether);
    for (QPushButton* button : {m_align, m_together})
        buttons->addWidget(button);
    column->addLayout(buttons);
    auto* files = new QHBoxLayout;
    files->setSpacing(4);
    m_load =
        addButton("loadPoses", tr("Load Poses…"),
                  tr("Load poses from a KITTI or TUM file with one pose per scan"), &AlignPanel::choosePoses);
    m_save = addButton("savePoses", tr("Save Poses…"), tr("Save the poses in KITTI or TUM format"),
                       &AlignPanel::savePoses);
    for (QPushButton* button : {m_load, m_save})
        files->addWidget(button);
    column->addLayout(files);
    m_aligned->setObjectName(QStringLiteral("aligned"));
    m_aligned->setToolTip(tr("Off: scans shown together keep the positions in their files"));
    connect(m_aligned, &QCheckBox::clicked, &m_playlist, &Playlist::setAligned);
    column->addWidget(m_aligned);
    m_state->setWordWrap(true);
    m_state->setObjectName(QStringLiteral("alignState"));
    column->addWidget(m_state);
    column->addStretch(1);
    constexpr int kWidth = 280; // minimum width in pixels, unless the texts of a language need more
    scroll->setFixedWidth(
        std::max(kWidth, column->minimumSize().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent)));
    return scroll;
}

QPushButton* AlignPanel::addButton(const char* name, const QString& text, const QString& tip,
                                   void (AlignPanel::*slot)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, slot);
    return button;
}

void AlignPanel::onPlaylistReplaced() {
    m_runner->cancel();
    m_rows.clear();
    m_samples.assign(std::size_t(m_playlist.size()), nullptr);
    m_poses = m_playlist.poses(); // poses of a project
    QStringList names;
    for (int i = 0; i < m_playlist.size(); ++i)
        names << m_playlist.nameOf(i);
    m_model->setScans(names);
    const Playlist::Verdicts verdicts = m_playlist.verdicts();
    for (std::size_t i = 0; i < verdicts.size(); ++i)
        if (verdicts[i])
            m_model->setRead(int(i), m_poses[i].value_or(RigidTransform{}), *verdicts[i]);
    m_judged = tableResults();
    showVerdict();
}

int AlignPanel::judgedRow() const {
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    if (!selected.isEmpty())
        return selected.front().row();
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->result(row) && !m_model->result(row)->alignment.placed())
            return row;
    return -1;
}

void AlignPanel::showVerdict() {
    const int row = judgedRow();
    const AlignedScanPtr result = row < 0 ? nullptr : m_model->result(row);
    m_verdict->setText(result ? tr("%1: %2").arg(m_playlist.nameOf(row), poseVerdictText(*result, m_unit))
                              : QString());
    m_verdict->setVisible(result != nullptr);
    showMarks();
}

void AlignPanel::setInFront(bool isInFront) {
    m_isInFront = isInFront;
    showMarks();
}

bool AlignPanel::isShownAtPose(int row) const {
    const Playlist::Poses poses = m_playlist.poses();
    return m_playlist.isTogether() && m_playlist.showsAligned() && m_playlist.isVisible(row) &&
           poses[std::size_t(row)] == m_model->result(row)->alignment.pose;
}

void AlignPanel::showMarks() {
    const int row = m_isInFront ? judgedRow() : -1;
    const AlignedScanPtr result = row < 0 ? nullptr : m_model->result(row);
    std::vector<SceneMark> marks;
    if (const ScanSamplePtr sample = result ? m_samples[std::size_t(row)] : nullptr;
        sample && isShownAtPose(row))
        marks = poseMarks(result->alignment, *sample, m_unit);
    if (marks.empty() && m_marks.empty())
        return;
    m_marks = std::move(marks);
    emit marksChanged();
}

void AlignPanel::align() {
    if (m_runner->isBusy()) {
        m_runner->cancel();
        return;
    }
    m_rows = m_model->checkedRows();
    m_poses.clear();
    m_samples.assign(std::size_t(m_playlist.size()), nullptr);
    m_model->clearResults();
    std::vector<std::filesystem::path> scans;
    for (const int row : m_rows)
        scans.push_back(m_playlist.path(row));
    m_runner->start(scans, m_form->params(), m_playlist.backend());
}

void AlignPanel::setUnit(LengthUnit unit) {
    m_unit = unit;
    m_model->setUnit(unit);
    m_form->setUnit(unit);
    showVerdict();
    showState();
}

void AlignPanel::finish() {
    const AlignOutcome& outcome = *m_runner->outcome();
    const std::size_t all = outcome.scans.size(), right = outcome.countOf(PoseWord::right),
                      doubtful = outcome.countOf(PoseWord::doubtful), wrong = all - right - doubtful;
    emit logged(tr("%1 of %2 poses are right, with cells of %3.")
                    .arg(right)
                    .arg(all)
                    .arg(withUnit(numberText(*outcome.params.resolution), m_unit)));
    if (right < all)
        emit failed(tr("Of %1 poses: %2 doubtful, %3 wrong or missing.").arg(all).arg(doubtful).arg(wrong),
                    tr("Click a row of the table for the reason and a suggestion. Scans with doubtful poses "
                       "are shown with the others, scans with wrong poses are not."));
    m_poses.assign(std::size_t(m_playlist.size()), std::nullopt);
    for (std::size_t i = 0; i < all; ++i)
        if (const AlignedScan& scan = *outcome.scans[i];
            !scan.failed && scan.alignment.verdict.word != PoseWord::wrong)
            m_poses[std::size_t(m_rows[i])] = scan.alignment.pose;
    m_judged = tableResults();
    if (right + doubtful > 1 && !m_playlist.isLeaving())
        showTogether();
}

void AlignPanel::showTogether() {
    Playlist::Verdicts verdicts;
    for (const AlignedScanPtr& scan : m_judged)
        verdicts.push_back(scan ? std::optional(scan->alignment.verdict) : std::nullopt);
    m_playlist.showTogether(m_poses, std::move(verdicts));
}

void AlignPanel::choosePoses() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open poses"),
        m_playlist.size() > 0 ? rawText(m_playlist.path(0).parent_path().native()) : QString(),
        tr("Poses of KITTI or TUM (*.txt *.tum);;All files (*)"));
    if (!path.isEmpty())
        loadPoses(path);
}

void AlignPanel::loadPoses(const QString& path) {
    try {
        constexpr std::uintmax_t most = 32 << 20; // bytes: 200,000 poses, read in a fraction of a second
        std::error_code unknown;
        if (const auto size = std::filesystem::file_size(rawPath(path), unknown); !unknown && size > most)
            throw EngineError(tr("%1 is too large for a file of poses.").arg(path).toStdString(),
                              tr("Choose a file with one line per scan.").toStdString());
        const std::vector<RigidTransform> poses = readTrajectory(rawPath(path)).poses;
        const auto scans = std::size_t(m_playlist.size());
        if (poses.size() != scans)
            throw EngineError(
                tr("%1 has %2 poses, but %3 scans are open.")
                    .arg(path)
                    .arg(poses.size())
                    .arg(scans)
                    .toStdString(),
                tr("Open the scans that the file was saved for: it has one line per scan.").toStdString());
        m_runner->cancel();
        m_samples.assign(scans, nullptr);
        m_model->clearResults();
        m_poses.assign(poses.begin(), poses.end());
        for (std::size_t i = 0; i < scans; ++i)
            m_model->setRead(int(i), poses[i],
                             {.word = PoseWord::right, .chance = 1, .reason = PoseReason::isGiven});
        m_judged = tableResults();
        showTogether();
        showState();
        emit posesKept();
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), {});
        emit failed(failure.sentence, failure.nextStep);
    }
}

void AlignPanel::savePoses() {
    // another list may be opened while this dialog is open
    const AlignOutcomePtr outcome = m_runner->outcome();
    if (!outcome ||
        !confirms(doubts(false), tr("The file has one line per scan; lines of wrong poses are guesses.")))
        return;
    const QString path = m_promptSavePath(this, tr("Save the poses"), QStringLiteral("poses.txt"),
                                          tr("KITTI poses (*.txt);;TUM poses (*.tum)"));
    if (path.isEmpty())
        return;
    try {
        writeTrajectory(rawPath(path), outcome->trajectory(), poseFormatFor(rawPath(path)));
        emit saved(path);
        // the poses can only be loaded for these scans if each of them has a line
        if (outcome == m_runner->outcome() && outcome->scans.size() == std::size_t(m_playlist.size()))
            emit posesKept();
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), {});
        emit failed(failure.sentence, failure.nextStep);
    }
}

std::vector<AlignedScanPtr> AlignPanel::tableResults() const {
    std::vector<AlignedScanPtr> results;
    for (int i = 0; i < m_model->rowCount(); ++i)
        results.push_back(m_model->result(i));
    return results;
}

QStringList AlignPanel::doubts(bool ofVisible) const {
    QStringList lines;
    const std::vector<AlignedScanPtr> results = ofVisible ? m_judged : tableResults();
    for (int i = 0; i < int(results.size()); ++i) {
        const AlignedScanPtr& result = results[std::size_t(i)];
        if (result && (result->failed || result->alignment.verdict.word != PoseWord::right) &&
            (!ofVisible || m_playlist.isVisible(i)))
            lines << tr("%1: %2").arg(m_playlist.nameOf(i), poseVerdictText(*result, m_unit));
    }
    return lines;
}

bool AlignPanel::mayExport() {
    return !m_playlist.isTogether() ||
           confirms(
               doubts(true),
               m_playlist.showsAligned()
                   ? tr("Doubtful poses are used as they are; scans with a wrong pose are left out.")
                   : tr("The scans are written at the positions in their files, which are not aligned."));
}

bool AlignPanel::confirms(const QStringList& doubts, const QString& consequence) {
    constexpr int shown = 5; // number of lines that fit on a small screen
    if (doubts.isEmpty())
        return true;
    QString text = doubts.mid(0, shown).join(QLatin1Char('\n'));
    if (doubts.size() > shown)
        text += QLatin1Char('\n') + tr("and %1 more").arg(doubts.size() - shown);
    QMessageBox question(
        QMessageBox::Warning, tr("Doubtful Alignment"),
        tr("The poses of %1 of %2 scans are doubtful or wrong.").arg(doubts.size()).arg(m_model->rowCount()),
        QMessageBox::Save | QMessageBox::Cancel, this);
    question.setInformativeText(text + QStringLiteral("\n\n") + consequence);
    question.button(QMessageBox::Save)->setText(tr("&Save Anyway"));
    question.setDefaultButton(QMessageBox::Cancel);
    return question.exec() == QMessageBox::Save;
}

void AlignPanel::showState() {
    const bool busy = m_runner->isBusy();
    const int checked = int(m_model->checkedRows().size());
    m_align->setText(busy ? tr("Stop") : tr("Align"));
    m_align->setToolTip(busy ? tr("Stop aligning") : tr("Estimate the pose of each ticked scan"));
    m_align->setEnabled(busy || checked > 1);
    const AlignOutcomePtr& outcome = m_runner->outcome();
    const bool isPlaced =
        std::ranges::count_if(m_poses, [](const auto& pose) { return pose.has_value(); }) > 1;
    m_together->setEnabled(isPlaced && !(m_playlist.isTogether() && m_playlist.showsAligned()));
    m_load->setEnabled(!busy && m_playlist.size() > 1);
    m_save->setEnabled(outcome != nullptr);
    m_aligned->setEnabled(m_playlist.hasPoses() && m_playlist.isTogether());
    m_aligned->setChecked(m_playlist.showsAligned());
    m_form->setEditable(!busy);
    if (m_playlist.size() < 2) {
        m_state->setText(tr("Open at least two scans together; they are aligned to the first."));
    } else if (busy) {
        int done = 0;
        for (const int row : m_rows)
            done += m_model->result(row) != nullptr;
        m_state->setText(tr("Aligning: %1 of %2").arg(done).arg(m_rows.size()));
    } else if (!outcome && isPlaced) {
        m_state->setText(tr("Poses from a file or a project. Align starts from scratch."));
    } else if (outcome) {
        m_state->setText(tr("Cells of %1, scans thinned to %2")
                             .arg(withUnit(numberText(*outcome->params.resolution), m_unit),
                                  withUnit(numberText(*outcome->params.thinning), m_unit)));
    } else {
        m_state->setText(tr("%1 of %2 scans are ticked; the first of them stays where it is.")
                             .arg(checked)
                             .arg(m_playlist.size()));
    }
}

} // namespace scanloupe::gui
