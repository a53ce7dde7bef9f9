// Shows forecasts below the parameters.
#include "gui/panels/parameters/forecast_line.h"

#include "gui/controls/theme.h"
#include "gui/text/forecast_text.h"

#include <QAccessible>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace scanloupe::gui {

ForecastLine::ForecastLine(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_take(new QPushButton(this)) {
    setObjectName(QStringLiteral("forecast"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 6);
    row->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_text->setAccessibleName(tr("Forecast"));
    // constant, so that longer numbers do not move the rows above
    m_text->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_take->setObjectName(QStringLiteral("takeFittingSize"));
    m_take->hide();
    row->addWidget(m_text, 1);
    row->addWidget(m_take, 0, Qt::AlignTop);
    connect(m_take, &QPushButton::clicked, this, [this] { emit sizeTaken(m_fittingSize); });
    hide();
}

QString ForecastLine::text() const {
    return m_text->text();
}

void ForecastLine::showAnswer(const ForecastAnswer& answer) {
    setVisible(answer.forecast.has_value());
    const bool wasRefused = m_refused;
    m_refused = answer.forecast && !answer.fits;
    m_fittingSize = answer.fittingSize.value_or(0);
    m_take->setVisible(m_refused && answer.fittingSize);
    if (!answer.forecast)
        return;
    m_text->setToolTip(forecastDetails(*answer.forecast));
    if (!m_refused) {
        m_text->setText(forecastText(*answer.forecast));
    } else {
        m_text->setText(refusalText(*answer.forecast, answer.available) +
                        (answer.fittingSize
                             ? QString()
                             : QLatin1Char(' ') +
                                   tr("Use a smaller range or a smaller picture, or close other programs.")));
        if (answer.fittingSize) {
            showSize();
            m_take->setToolTip(tr("Set the closest voxel size that fits into memory"));
        }
    }
    if (m_refused != wasRefused) {
        showColours();
        if (m_refused) {
            QAccessibleEvent alert(m_text, QAccessible::Alert);
            QAccessible::updateAccessibility(&alert);
        }
    }
}

void ForecastLine::setUnit(LengthUnit unit) {
    m_unit = unit;
    showSize();
}

void ForecastLine::showSize() {
    m_take->setText(tr("Use %1").arg(voxelSizeText(m_fittingSize, m_unit)));
}

void ForecastLine::showColours() {
    const QPalette application = QGuiApplication::palette();
    QPalette colours; // all other colours follow the application's
    if (m_refused)
        colours.setColor(QPalette::WindowText,
                         isDark(application) ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x20, 0x20));
    if (m_text->palette().color(QPalette::WindowText) != colours.color(QPalette::WindowText))
        m_text->setPalette(colours);
}

void ForecastLine::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showColours();
}

} // namespace scanloupe::gui
