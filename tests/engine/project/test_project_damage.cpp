// Projects that are damaged, by accident or by hand: each is rejected with a message.
#include "engine/cloud/error.h"
#include "engine/edit/edit_list.h"
#include "tests/engine/project/sample_project.h"
#include "tests/support/test_support.h"

#include <cstring>
#include <nlohmann/json.hpp>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using OrderedJson = nlohmann::ordered_json;

const std::filesystem::path kFolder = "/no such folder";

/// Paths of all values of a document, except the parameters of recipes.
void findValues(const OrderedJson& value, const OrderedJson::json_pointer& at,
                std::vector<OrderedJson::json_pointer>& all) {
    const bool isRecipe = value.is_object() && value.contains("scanloupe_recipe");
    if (value.is_object())
        for (const auto& [key, member] : value.items()) {
            if (isRecipe && key != "edits" && key != "camera")
                continue;
            all.push_back(at / key);
            findValues(member, at / key, all);
        }
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) {
            all.push_back(at / i);
            findValues(value[i], at / i, all);
        }
}

/// Why a project was rejected; empty if it was read.
std::string refusalOf(const OrderedJson& json) {
    try {
        projectFromJson(json.dump(), kFolder);
        return {};
    } catch (const EngineError& error) {
        return error.nextStep().empty() ? "without a next step" : error.what();
    }
}

/// A project with edits, with every kind of region and action that has numbers.
Project editedProject() {
    Project project = sampleProject(kFolder);
    Edits& edits = project.recipe->edits;
    edits.selection.steps = {stepOf(SetOperation::replace, HalfSpaceRegion{{5, 0, 0}, {1, 0, 0}}),
                             stepOf(SetOperation::add, GrowRegion{0.5, 2})};
    edits = withLayer(std::move(edits), CompareAction{"/models/lid.stl", 0.001, 0.5}, "Compare");
    return project;
}

} // namespace

class TestProjectDamage : public QObject {
    Q_OBJECT

private slots:
    /// Any damage leads to an error message, and to nothing worse.
    void damagedProjectsAreRefused() {
        auto random = seededRandom("damagedProjectsAreRefused");
        const std::string whole = toJson(sampleProject(kFolder), kFolder);
        int refused = 0;
        for (int i = 0; i < 600; ++i) {
            std::string text = whole;
            if (i % 3 == 0)
                text.resize(random() % text.size());
            for (int k = 0; i % 3 != 0 && k < 4; ++k)
                text[random() % text.size()] =
                    static_cast<char>(i % 3 == 1 ? "0-{}[]\",e9"[random() % 10] : random());
            try {
                const Project read = projectFromJson(text, kFolder);
                QVERIFY(!read.scans.empty() && read.shown < int(read.scans.size()));
                QVERIFY(read.steps.empty() || read.step < read.steps.size());
            } catch (const EngineError&) {
                ++refused;
            }
        }
        QVERIFY(refused > 300);
        for (const auto& [from, to] : {std::pair{"\"together\"", "3"},
                                       {"\"together\"", "-2"},
                                       {"\"together\"", "1099511627776"}, // 2^40, which is 0 in 32 bits
                                       {"\"together\"", "18446744073709551615"},
                                       {"\"together\"", "0.5"},
                                       {"\"place\"", "\"planet\""},
                                       {"\"#12ab00\"", "\"#12ab0\""},
                                       {"\"distance\",", "\"distanz\","},
                                       {"\"kind\":\"point\"", "\"kind\":\"angle\""},
                                       {"\"doubtful\"", "\"maybe\""},
                                       {"\"doubtful\"", "7"},
                                       {"\"rival\"", "\"riddle\""},
                                       {"0.0625", "1.0625"},
                                       {"0.0625", "\"low\""},
                                       {"\"current\": 1", "\"current\": 2"},
                                       {"-1.0", "1.0"},     // a pose that mirrors
                                       {"-1.0", "-1.5"}}) { // a pose that stretches
            std::string text = whole;
            const auto at = text.find(from);
            QVERIFY2(at != std::string::npos, from);
            QVERIFY_EXCEPTION_THROWN(projectFromJson(text.replace(at, std::strlen(from), to), kFolder),
                                     EngineError);
        }
    }

    /// A document written by hand or by another program may have values of other types.
    void valuesOfOtherTypesAreRefused() {
        const OrderedJson whole = OrderedJson::parse(toJson(editedProject(), kFolder));
        QCOMPARE(refusalOf(whole), std::string());
        std::vector<OrderedJson::json_pointer> places;
        findValues(whole, OrderedJson::json_pointer(), places);
        QVERIFY(places.size() > 100);
        int refused = 0;
        for (const OrderedJson::json_pointer& place : places)
            for (const OrderedJson& other :
                 {OrderedJson(7), OrderedJson(-1.5e300), OrderedJson("text"), OrderedJson(nullptr),
                  OrderedJson::array(), OrderedJson::object(), OrderedJson(true)}) {
                OrderedJson changed = whole;
                changed[place] = other;
                const std::string why = refusalOf(changed);
                QVERIFY2(why.find("json.exception") == std::string::npos &&
                             why.find("at()") == std::string::npos,
                         (place.to_string() + ": " + why).c_str());
                refused += !why.empty();
            }
        QVERIFY(refused > 300);
    }

    void refusalsNameThePlace() {
        OrderedJson json = OrderedJson::parse(toJson(sampleProject(kFolder), kFolder));
        json["history"]["steps"][1]["words"] = 7;
        QCOMPARE(refusalOf(json),
                 std::string("The project can't be read: in step 2 of its history, type must be "
                             "string, but is number."));
        json["scans"][1]["visible"] = "no";
        const std::string why = refusalOf(json);
        QVERIFY2(why.starts_with("The project can't be read: in scan 2, type must be boolean"), why.c_str());
        json["scans"][0] = "a.ply";
        const std::string first = refusalOf(json);
        QVERIFY2(first.starts_with("The project can't be read"), first.c_str());
        json["scans"][0] = {{"full_path", ""}};
        QVERIFY(!refusalOf(json).empty());
    }

    /// Truncated to 32 bits, these numbers would be valid, or have no absolute value.
    void numbersThatAreTooLargeAreRefused() {
        const std::string whole = toJson(editedProject(), kFolder);
        QVERIFY(whole.find("\"steps\":2}") != std::string::npos);
        for (const char* steps : {"-2147483648", "4294967298", "1e300", "0.5"}) {
            std::string text = whole;
            text.replace(text.find("\"steps\":2}") + 8, 1, steps);
            QVERIFY_EXCEPTION_THROWN(projectFromJson(text, kFolder), EngineError);
        }
    }
};

SCANLOUPE_TEST(TestProjectDamage)
#include "test_project_damage.moc"
