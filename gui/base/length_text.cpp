// Formats lengths, areas and volumes.
#include "gui/base/length_text.h"

#include "engine/recipe/parameters.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString tr(const char* text, const char* what = nullptr) {
    return QCoreApplication::translate("Lengths", text, what);
}

} // namespace

QString unitSymbol(LengthUnit unit, int power) {
    const QString symbol = tr(rowOf(unit).symbol, "symbol of a unit");
    return power == 1 ? symbol : symbol + (power == 2 ? QChar(0xb2) : QChar(0xb3));
}

QString unitName(LengthUnit unit) {
    const QString name = tr(rowOf(unit).name);
    return rowOf(unit).metres > 0 ? tr("%1 (%2)", "name and symbol of a unit").arg(name, unitSymbol(unit))
                                  : name;
}

QString withUnit(const QString& number, LengthUnit unit, int power) {
    return tr("%1 %2", "number and unit").arg(number, unitSymbol(unit, power));
}

QString lengthText(double length, LengthUnit unit) {
    const QLocale locale;
    if (std::abs(length) >= 1 || length == 0)
        return withUnit(locale.toString(length, 'f', std::abs(length) < 100 ? 2 : 0), unit);
    return unit == LengthUnit::metre
               ? withUnit(locale.toString(1000 * length, 'g', 3), LengthUnit::millimetre)
               : withUnit(locale.toString(length, 'g', 3), unit);
}

QString parameterUnit(const Parameter& parameter, LengthUnit unit) {
    return parameter.isLength() ? unitSymbol(unit)
                                : QCoreApplication::translate("parameters", parameter.unit.c_str());
}

} // namespace scanloupe::gui
