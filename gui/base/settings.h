#pragma once
// Lists the settings that the window keeps between sessions.
#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantList>
#include <type_traits>

namespace scanloupe::gui {

/// A value of QSettings. Enumerations are stored as their number.
template <class T>
class Setting {
public:
    explicit Setting(QString key, T otherwise = {})
        : m_key(std::move(key)), m_otherwise(std::move(otherwise)) {}

    /// The stored value; `otherwise` where none was stored.
    T value() const {
        if constexpr (std::is_enum_v<T>)
            return T(QSettings().value(m_key, int(m_otherwise)).toInt());
        else
            return QSettings().value(m_key, m_otherwise).template value<T>();
    }
    void set(const T& value) const {
        if constexpr (std::is_enum_v<T>)
            QSettings().setValue(m_key, int(value));
        else
            QSettings().setValue(m_key, value);
    }
    void forget() const { QSettings().remove(m_key); }

private:
    QString m_key;
    T m_otherwise;
};

enum class ThemeChoice;
enum class SceneGrid;
enum class SeveralAs;

namespace settings {

inline const Setting<QByteArray> geometry(QStringLiteral("geometry")); ///< of the window
inline const Setting<QByteArray> layout(QStringLiteral("layout"));     ///< docks and tool bars
inline const Setting<QByteArray> views(QStringLiteral("views"));       ///< JSON of ViewArea
inline const Setting<ThemeChoice> theme(QStringLiteral("theme"));
inline const Setting<SceneGrid> grid(QStringLiteral("grid"));
inline const Setting<bool> trajectory(QStringLiteral("trajectory"), true);
inline const Setting<bool> tourOffered(QStringLiteral("tourOffered"));
inline const Setting<QString> deviceId(QStringLiteral("device/id"));
/// The device's name: its number may change when a card is removed.
inline const Setting<QString> deviceName(QStringLiteral("device/name"));
inline const Setting<QStringList> recentFiles(QStringLiteral("recentFiles"));
inline const Setting<QString> exportFolder(QStringLiteral("exportFolder"));
inline const Setting<SeveralAs> openSeveralAs(QStringLiteral("openSeveralAs"));
inline const Setting<QString> forecastTimes(QStringLiteral("forecast/times")); ///< JSON of the forecaster
/// Numbers of the columns chosen as x, y, z for text files of this layout.
inline Setting<QVariantList> textColumns(const QString& layoutKey) {
    return Setting<QVariantList>(QStringLiteral("textColumns/") + layoutKey);
}

} // namespace settings

} // namespace scanloupe::gui
