// Describes in words how the contents of the views reached the screen.
#include "gui/interop/transfer.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>

namespace scanloupe::gui {

namespace {

using Path = Transfer::Path;

QString translated(const char* text) {
    return QCoreApplication::translate("Interop", text);
}

QString milliseconds(double ms, int digits) {
    return translated("%1 ms").arg(QLocale().toString(ms, 'f', digits));
}

/// @param bytes copied from the device
QString pathText(Path path, quint64 bytes) {
    const QString size = QLocale().formattedDataSize(qint64(bytes));
    switch (path) {
    case Path::painted:
        return bytes > 0 ? translated("painted, %1 from the device").arg(size) : translated("painted");
    case Path::copied:
        return bytes > 0 ? translated("through host memory, %1 from the device").arg(size)
                         : translated("copied to OpenGL");
    case Path::interop:
        return translated("CUDA to OpenGL, 0 bytes to the host");
    case Path::none:
        break;
    }
    return {};
}

} // namespace

double millisecondsSince(std::chrono::steady_clock::time_point then) {
    if (then == std::chrono::steady_clock::time_point{})
        return 0;
    const std::chrono::duration<double, std::milli> since = std::chrono::steady_clock::now() - then;
    return since.count();
}

QString transferText(const Transfers& transfers) {
    const std::array all{&transfers.picture, &transfers.voxels, &transfers.mesh};
    quint64 bytes = 0;
    bool interop = false, other = false;
    for (const Transfer* transfer : all) {
        bytes += transfer->bytesToHost;
        interop |= transfer->path == Path::interop;
        other |= transfer->path == Path::copied || transfer->path == Path::painted;
    }
    const auto there = [](const Transfer* transfer) { return transfer->path != Path::none; };
    // the transfer of the picture, if there is one
    const auto first = std::find_if(all.begin(), all.end(), there);
    if (first == all.end())
        return {};
    // views that CUDA does not write are mentioned only if data was copied from the device for them
    const bool mixed = interop && other && bytes > 0;
    const QString way = mixed ? pathText(Path::copied, bytes) : pathText((*first)->path, bytes);
    const Transfer& picture = transfers.picture;
    if (*first != &picture)
        return translated("Views: %1").arg(way);
    return translated("Views: %1; picture on the screen after %2")
        .arg(way, milliseconds(picture.presentedMs, 1));
}

QString transferDetails(const Transfers& transfers) {
    QStringList lines;
    const auto add = [&](const QString& view, const Transfer& transfer) {
        if (transfer.path == Path::none)
            return;
        QString line = translated("%1: %2").arg(view, pathText(transfer.path, transfer.bytesToHost));
        if (transfer.copyMs > 0)
            line += translated("; copied in %1").arg(milliseconds(transfer.copyMs, 2));
        if (transfer.presentedMs > 0)
            line += translated("; on the screen %1 after completion, including %2 of waiting for the window")
                        .arg(milliseconds(transfer.presentedMs, 1), milliseconds(transfer.waitedMs, 1));
        if (!transfer.why.isEmpty())
            line += QStringLiteral(". ") + transfer.why;
        lines << line;
    };
    add(translated("Voxels"), transfers.voxels);
    add(translated("Mesh"), transfers.mesh);
    add(translated("Picture"), transfers.picture);
    return lines.join('\n');
}

} // namespace scanloupe::gui
