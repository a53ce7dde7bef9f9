#pragma once
// Frames of a generated drive, for tests of sequences.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <vector>

namespace scanloupe::test {

/// Frames of a generated drive in a folder, with their true poses.
struct DriveFolder {
    static constexpr std::size_t kPoints = 16384;
    QTemporaryDir folder;
    std::vector<RigidTransform> truth;

    explicit DriveFolder(std::uint64_t count) {
        const SyntheticDrive drive({}, 100, kPoints);
        for (std::uint64_t f = 0; f < count; ++f) {
            writeCloud(path(int(f)).toStdString(), drive.cloud(f, false, {}), {}, {});
            truth.push_back(drive.pose(0).inverse() * drive.pose(f));
        }
    }
    QString path(int frame) const { return folder.filePath(QStringLiteral("frame%1.ply").arg(frame + 1)); }
    void write(const QString& name, const QByteArray& content) const {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
};

} // namespace scanloupe::test
