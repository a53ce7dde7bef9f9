#pragma once
// Declares the icons of tools and of the application.
#include <QIcon>

class QToolButton;
class QWidget;

namespace scanloupe::gui {

/// A tool's icon in the colour of the application's text at the time of painting. Names: open, folder,
/// sample, export, recipe, align, fit, view-oblique, -top, -bottom, -front, -back, -left, -right, cancel,
/// light, dark, reset, auto, link, close, copy, save, error, note, warning, previous, next, play, pause,
/// measure-point, -distance, -height, -angle, -area, -circle.
QIcon toolIcon(const QString& name);
/// A flat button with a tool's icon, 16 px; the tool tip is also its accessible name.
QToolButton* iconButton(const QString& icon, const QString& tip, QWidget* parent);
/// The application's icon.
QIcon applicationIcon();

} // namespace scanloupe::gui
