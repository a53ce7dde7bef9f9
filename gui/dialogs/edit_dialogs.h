#pragma once
// Declares the dialogs of edits: class, selection by values, formula, motion.
#include "engine/cloud/reference/length_unit.h"
#include "engine/cloud/value_range.h"
#include "kernels/core/vec3.h"

#include <QDialog>
#include <QString>
#include <array>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace scanloupe {
class Attribute;
class PointCloud;
enum class SetOperation : std::uint8_t;
struct RigidTransform;
struct SelectionStep;
} // namespace scanloupe

namespace scanloupe::gui {

class NumberBox;

/// Names of known classes: those that the scan names, otherwise those of ASPRS. "2 Ground"
QStringList knownClasses(const PointCloud& cloud, const std::string& attribute);

/// Prompts for the new class of points.
class SetClassDialog : public QDialog {
    Q_OBJECT
public:
    explicit SetClassDialog(const PointCloud& cloud, QWidget* parent = nullptr);
    std::int64_t value() const;
    /// Its number, and its name if it has one.
    QString text() const;
    QComboBox* choice() const { return m_choice; }

private:
    QComboBox* m_choice;
    bool isValid() const;
};

/// Prompts for classes, or for a range of heights or of an attribute's values.
class SelectByDialog : public QDialog {
    Q_OBJECT
public:
    /// @param up unit vector; @param heights of the scan along it
    SelectByDialog(std::shared_ptr<const PointCloud> cloud, Vec3d up, ValueRange heights, LengthUnit unit,
                   QWidget* parent = nullptr);
    SelectionStep step() const;
    QComboBox* quantity() const { return m_quantity; }
    QListWidget* classes() const { return m_classes; }
    QLineEdit* others() const { return m_others; }
    NumberBox* low() const { return m_low; }
    NumberBox* high() const { return m_high; }

private:
    void showQuantity();
    QStringList otherClasses() const;
    const Attribute* attribute() const; ///< null: heights
    bool isOfClasses() const;

    std::shared_ptr<const PointCloud> m_cloud; ///< kept, since results may be replaced meanwhile
    Vec3d m_up;
    ValueRange m_heights;
    LengthUnit m_unit;
    QComboBox *m_quantity, *m_operation;
    QListWidget* m_classes;
    QLineEdit* m_others; ///< classes that are not listed
    QWidget* m_range;
    NumberBox *m_low, *m_high;
};

/// Prompts for a formula over the attributes of the points: to select by, or to compute an attribute.
class FormulaDialog : public QDialog {
    Q_OBJECT
public:
    enum class For { selection, attribute };

    FormulaDialog(For use, std::shared_ptr<const PointCloud> cloud, QWidget* parent = nullptr);
    QString formula() const;
    QString name() const; ///< name of the new attribute
    SetOperation operation() const;
    QLineEdit* formulaLine() const { return m_formula; }
    QLineEdit* nameLine() const { return m_name; }
    /// The error in the formula, a sentence; empty: it is valid.
    QString problem() const { return m_problem; }

private:
    void check();

    std::shared_ptr<const PointCloud> m_cloud; ///< kept, since results may be replaced meanwhile
    For m_use;
    QLineEdit *m_name, *m_formula;
    QComboBox* m_operation;
    QLabel* m_hint;
    QPushButton* m_accept;
    QString m_problem;
};

/// Prompts for a motion of the selection.
class MoveDialog : public QDialog {
    Q_OBJECT
public:
    /// @param up axis of the rotation; @param pivot a point of it
    MoveDialog(Vec3d up, Vec3d pivot, LengthUnit unit, QWidget* parent = nullptr);
    RigidTransform motion() const;
    NumberBox* offset(int axis) const { return m_offset[std::size_t(axis)]; }
    NumberBox* angle() const { return m_angle; }

private:
    Vec3d m_up, m_pivot;
    std::array<NumberBox*, 3> m_offset{};
    NumberBox* m_angle;
};

} // namespace scanloupe::gui
