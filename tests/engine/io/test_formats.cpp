// The table of formats: which files it recognises, and that the manual, the desktop entry and the MIME types
// agree with it. With SCANLOUPE_UPDATE=1, these files are rewritten instead of compared.
#include "engine/io/formats.h"
#include "tests/engine/io/test_io_support.h"

#include <QFile>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

QString joined(const std::vector<std::string>& words, const char* between) {
    QStringList list;
    for (const std::string& word : words)
        list << QString::fromStdString(word);
    return list.join(between);
}

/// A dash for an empty list, because the window would join an empty cell with the one before it.
QString code(const std::vector<std::string>& endings) {
    return endings.empty() ? QStringLiteral("–") : '`' + joined(endings, "` `") + '`';
}

/// Adds the endings of LAZ, which are part of the format even if this build does not support them.
std::vector<std::string> withLaz(std::vector<std::string> endings) {
    if (endings == std::vector<std::string>{".las"})
        endings.push_back(".laz");
    return endings;
}

QString manualTable() {
    QString table =
        "| format | scans read | versions and content | scans written | surface written | voxels written |\n"
        "|---|---|---|---|---|---|\n";
    for (const FileFormat& format : fileFormats()) {
        const auto clouds = withLaz(format.clouds.endings);
        // formats that only have endings of other formats: such scans can be read, but are skipped in folders
        const auto& read = format.read && format.endings.empty() ? format.otherEndings : format.endings;
        if (read.empty() && clouds.empty() && format.meshes.endings.empty() && format.voxels.endings.empty())
            continue;
        table += QString("| %1 | %2 | %3 | %4 | %5 | %6 |\n")
                     .arg(format.name, code(read), *format.whatIsRead ? format.whatIsRead : "–", code(clouds),
                          code(format.meshes.endings), code(format.voxels.endings));
    }
    return table;
}

QString mimeInfo() {
    QString xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n";
    for (const FileFormat& format : fileFormats()) {
        for (const MimeType& mime : format.mimeTypes) {
            xml += QString("  <mime-type type=\"%1\">\n    <comment>%2</comment>\n")
                       .arg(mime.type, mime.comment);
            if (mime.alias)
                xml += QString("    <alias type=\"%1\"/>\n").arg(mime.alias);
            if (mime.magic)
                xml += QString("    <magic priority=\"50\"><match type=\"string\" offset=\"%1\" "
                               "value=\"%2\"/></magic>\n")
                           .arg(mime.magicOffset, QString(mime.magic).replace('\n', "\\n"));
            for (const std::string& ending : mime.endings)
                xml += QString("    <glob pattern=\"*%1\"/>\n").arg(QString::fromStdString(ending));
            xml += "  </mime-type>\n";
        }
    }
    return xml + "</mime-info>\n";
}

QString desktopTypes() {
    QString line = "MimeType=";
    for (const FileFormat& format : fileFormats())
        for (const MimeType& mime : format.mimeTypes) {
            line += QString(mime.type) + ';';
            if (mime.alias)
                line += QString(mime.alias) + ';';
        }
    return line + '\n';
}

/// Compares a part of a file of the project, between two marks, with `wanted`. With SCANLOUPE_UPDATE, writes
/// `wanted` instead.
void compare(const char* name, const QString& from, const QString& to, const QString& wanted) {
    QFile file(QString(SCANLOUPE_SOURCE_DIR) + '/' + name);
    if (!QFile::exists(SCANLOUPE_SOURCE_DIR))
        QSKIP("the source tree is not here");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(file.readAll());
    const auto begin = text.indexOf(from) + from.size();
    const auto end = to.isEmpty() ? text.size() : text.indexOf(to, begin);
    QVERIFY(begin >= from.size() && end >= begin);
    file.close();
    if (qEnvironmentVariableIsSet("SCANLOUPE_UPDATE")) {
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text.replace(begin, end - begin, wanted).toUtf8());
        return;
    }
    if (text.mid(begin, end - begin) != wanted)
        QFAIL(qPrintable(QString("%1 says something else than the table of formats. Run this test with "
                                 "SCANLOUPE_UPDATE=1 to write:\n%2")
                             .arg(name, wanted)));
}

} // namespace

class TestFormats : public QObject {
    Q_OBJECT
private slots:
    void theManualListsThem() {
        compare("resources/manual/formats.md", "<!-- formats, from engine/io/formats.cpp -->\n",
                "<!-- end of formats -->", manualTable());
    }
    void desktopKnowsIt() {
        compare("packaging/linux/scanloupe-mime.xml", "", "", mimeInfo());
        compare("packaging/linux/scanloupe.desktop", "Terminal=false\n", "Categories=", desktopTypes());
    }
    void rowsAreWhole() {
        std::set<std::string> names, endings;
        for (const FileFormat& format : fileFormats()) {
            QVERIFY(names.insert(format.name).second);
            for (const std::string& ending : format.endings)
                QVERIFY2(ending.starts_with('.') && endings.insert(ending).second, ending.c_str());
            QVERIFY(format.read ? !(format.endings.empty() && format.otherEndings.empty())
                                : format.endings.empty());
            QCOMPARE(format.clouds.endings.empty(), !format.clouds.write);
            QCOMPARE(format.meshes.endings.empty(), !format.meshes.write);
            QCOMPARE(format.voxels.endings.empty(), !format.voxels.write);
            QVERIFY2(!format.read || *format.whatIsRead, format.name);
        }
    }

    void filesAreRecognised_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("format"); // name of the recognised format; empty: none
        const auto row = [](const char* name, const QByteArray& content, const char* format) {
            QTest::newRow(qPrintable(QString("%1, %2").arg(name, format))) << name << content << format;
        };
        row("a.xyz", "ply\nformat ascii 1.0\n", "PLY"); // the content takes precedence over the name
        row("a.ply", "VERSION 0.7\nFIELDS x y z\n", "PCD");
        row("b.ply", "# made by hand\nVERSION 0.7\n", "PCD");
        row("c.ply", "1 2 3\n", "PLY"); // where the content is ambiguous, the name decides
        row("a.pcd", "# vtk DataFile Version 3.0\nOFF\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n", "VTK");
        row("a.txt", "<?xml?><VTKFile>", "VTK");
        row("b.txt", "# by hand\nCOFF\n1 0 0\n", "OFF");
        row("c.txt", "LASF", "LAS");
        row("d.txt", "ASTM-E57", "E57");
        row("e.txt", "glTF", "GLB");
        row("a.gltf", "{}", "glTF");
        row("b.gltf", "glTF", "GLB");
        row("f.txt", "solid a\nfacet normal 0 0 1\n", "STL");
        row("g.txt", "v 1 2 3\nv 4 5 6\n", "OBJ");
        row("h.txt", "1 2 3\n", "text");
        row("a.ptx", "2\n2\n0 0 0\n", "PTX");
        row("b.ptx", "v 1 2 3\n", "OBJ");
        row("a", "1,2,3\n", "text");
        row("a.dat", QByteArray("\0\1\2", 3), "");
        row("a.csv", QByteArray("\0\1\2", 3), "");
        row("a.bin", QByteArray("\0\1\2", 3), "KITTI sweep");
        row("a.raw", QByteArray("\0\1\2", 3), "raw volume");
    }
    void filesAreRecognised() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, format);
        const Scratch scratch;
        const InputFile file(scratch.file(name.toStdString(), content.toStdString()));
        const FileFormat* found = detectFormat(file);
        QCOMPARE(QString(found ? found->name : ""), format);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestFormats)
#include "test_formats.moc"
