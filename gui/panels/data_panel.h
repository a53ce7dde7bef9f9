#pragma once
#include "gui/views/scan_view.h"

#include <QWidget>

class QLabel;
class QTableView;
class QVBoxLayout;

namespace scanloupe::gui {

class AttributeModel;
class PropertyModel;
class Section;

/// What is loaded: the scan and its attributes, what was odd about it, what was chosen for it, and what was
/// picked.
class DataPanel : public QWidget {
    Q_OBJECT
public:
    explicit DataPanel(QWidget* parent = nullptr);

    /// Null: nothing is loaded. A picked point of another scan is let go.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// Shows what lies under the cursor in `snapshot`.
    void showPick(const Hit& hit, const SnapshotPtr& snapshot);
    void clearPick();

    AttributeModel* attributes() const { return m_attributes; }
    PropertyModel* scan() const { return m_scan; }
    PropertyModel* picked() const { return m_picked; }
    /// Warnings of the reader, then notes of the pipeline.
    QStringList sentences() const { return m_sentences; }

private:
    void showSentences(const Snapshot* snapshot);
    void showHint();

    SnapshotPtr m_snapshot;
    AttributeModel* m_attributes;
    PropertyModel* m_scan;
    PropertyModel* m_picked;
    QLabel* m_title;
    QTableView* m_scanTable;
    QTableView* m_attributeTable;
    QTableView* m_pickTable;
    QLabel* m_pickHint;
    Section* m_attributeSection;
    Section* m_noteSection;
    QWidget* m_notes = nullptr;
    QStringList m_sentences;
};

} // namespace scanloupe::gui
