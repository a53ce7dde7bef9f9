// Shows the About dialog.
#include "gui/dialogs/about_dialog.h"

#include "engine/compute/backend.h"
#include "engine/compute/build_info.h"
#include "gui/controls/icons.h"
#include "gui/opengl/opengl_probe.h"

#include <QApplication>
#include <QMessageBox>

namespace scanloupe::gui {

void showAbout(const BackendChoice& backend, QWidget* parent) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("About", text); };
    QMessageBox box(parent);
    box.setWindowTitle(tr("About Scanloupe"));
    box.setIconPixmap(applicationIcon().pixmap(64, 64));
    box.setText(QStringLiteral("<h3>Scanloupe %1</h3>").arg(QApplication::applicationVersion()) +
                tr("Shows and edits 3D scans as voxels, surface and pixels."));
    QString gpu = backend.device.usable ? QStringLiteral("%1, compute %2.%3")
                                              .arg(QString::fromStdString(backend.device.name))
                                              .arg(backend.device.major)
                                              .arg(backend.device.minor)
                                        : QString::fromStdString(backend.reason);
    const BuildInfo build = buildInfo();
    const OpenGlState& gl = openGlState();
    const QString openGl = gl.usable ? QStringLiteral("%1, %2").arg(gl.renderer, gl.version) : gl.problem;
    box.setInformativeText(tr("Backend: %1").arg(QString::fromLatin1(nameOf(backend.backend)).toUpper()) +
                           "<br>" + tr("GPU: %1").arg(gpu.toHtmlEscaped()) + "<br>" +
                           tr("OpenGL: %1").arg(openGl.toHtmlEscaped()) + "<br>" +
                           tr("Qt %1, built with %2%3. MIT licence.")
                               .arg(QString::fromLatin1(qVersion()), QString::fromStdString(build.compiler),
                                    build.cuda.empty()
                                        ? QString()
                                        : tr(" and CUDA %1").arg(QString::fromStdString(build.cuda))));
    box.exec();
}

} // namespace scanloupe::gui
