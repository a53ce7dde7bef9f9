// Shows a view in a separate window.
#include "gui/views/detached_view.h"

#include "gui/views/scan_view.h"

#include <QCloseEvent>
#include <QVBoxLayout>

namespace scanloupe::gui {

DetachedView::DetachedView(ScanView& view, QWidget* owner) : QWidget(owner, Qt::Window) {
    setWindowTitle(tr("%1 – Scanloupe").arg(view.title()));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view.widget());
}

void DetachedView::closeEvent(QCloseEvent* event) {
    event->accept();
    emit closed();
}

} // namespace scanloupe::gui
