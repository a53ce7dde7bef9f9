// Texts as survey programs and spreadsheets write them: encodings, headers, column names and numbers.
#include "tests/engine/io/read_content.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// `text` as UTF-16 with its byte order mark.
std::string utf16(std::u16string_view text, bool bigEndian) {
    std::string bytes;
    const auto add = [&](char16_t unit) {
        const char low = static_cast<char>(unit & 0xff), high = static_cast<char>(unit >> 8);
        bytes += bigEndian ? high : low;
        bytes += bigEndian ? low : high;
    };
    add(0xfeff);
    for (const char16_t unit : text)
        add(unit);
    return bytes;
}

} // namespace

class TestTextLayouts : public QObject {
    Q_OBJECT
private slots:
    void utf16OpensInBothByteOrders() {
        for (const bool bigEndian : {false, true}) {
            const auto cloud =
                read("a.csv", utf16(u"X;Y;Z;Gr\u00f6\u00dfe\r\n1,5;2,5;3,5;7\r\n4;5;6,25;8\r\n", bigEndian));
            QCOMPARE(cloud->size(), std::size_t(2));
            QVERIFY((cloud->position(0) == Vec3d{1.5, 2.5, 3.5}));
            QVERIFY((cloud->position(1) == Vec3d{4, 5, 6.25}));
            QCOMPARE(at(*cloud,
                        "Gr\xC3\xB6\xC3\x9F"
                        "e",
                        1),
                     8.0);
            QVERIFY(cloud->format.starts_with("UTF-16"));
            QVERIFY(cloud->warnings.empty());
            // a surrogate pair across the border of two blocks
            const std::u16string remark(32759, u'a');
            const auto pair =
                read("a.txt", utf16(u"#" + remark + u"\nx,y,z,\U0001D6FC\n1,2,3,4\n", bigEndian));
            QCOMPARE(at(*pair, "\xF0\x9D\x9B\xBC", 0), 4.0);
        }
        QVERIFY(says(refusal("a.csv", "\xFF\xFE\x01\x02\x03\x04"), "of no format"));
    }
    void nulBytesAtTheEndAreIgnored() {
        for (const std::size_t nuls : {1u, 3000u, 200000u}) {
            const auto cloud = read("a.xyz", "1.5 2.5 3.5\n4 5 6\n" + std::string(nuls, '\0'));
            QCOMPARE(cloud->size(), std::size_t(2));
            QVERIFY(warns(*cloud, (std::to_string(nuls) + " NUL bytes").c_str()));
            QCOMPARE(cloud->warnings.size(), std::size_t(1)); // none of damage
        }
        const auto decoded = read("a.xyz", utf16(u"1 2 3\n4 5 6" + std::u16string(5, u'\0'), false));
        QCOMPARE(decoded->size(), std::size_t(2));
        QVERIFY(warns(*decoded, "5 NUL bytes"));
        const std::string ptx = "2\n1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
                                "1 2 3 0.5\n4 5 6 0.5\n";
        const auto scan = read("a.ptx", ptx + std::string(100, '\0'));
        QCOMPARE(scan->size(), std::size_t(2));
        QVERIFY(warns(*scan, "100 NUL bytes"));
        for (const std::string& binary : {std::string(5000, '\0'), "MAGIC" + std::string(5000, '\0'),
                                          "1 2 3\n\x01" + std::string(9, '\0')})
            QVERIFY(says(refusal("a.xyz", binary), "of no format"));
    }
};

SCANLOUPE_TEST(TestTextLayouts)
#include "test_text_layouts.moc"
