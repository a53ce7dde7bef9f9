// Projects: written and read, moved, and run by the command line.
#include "engine/edit/edit_list.h"
#include "engine/inspect/measure/measure_kind.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/project/project.h"
#include "engine/recipe/parameters.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/engine/project/sample_project.h"
#include "tests/support/kept_documents.h"
#include "tests/support/pipeline_run.h"

#include <QTemporaryDir>

using namespace scanloupe;
using namespace scanloupe::test;
namespace fs = std::filesystem;

namespace {

Recipe comparedWith(const fs::path& model) {
    Recipe recipe;
    recipe.edits = withLayerOfSelectedOrAll({}, CompareAction{model.string(), 0.001, 0.5}, "Compare");
    return recipe;
}
fs::path modelOf(const Recipe& recipe) {
    return std::get<CompareAction>(recipe.edits.layers.at(0)->action).reference;
}

void touch(const fs::path& path) {
    fs::create_directories(path.parent_path());
    writeFile(path, "ply\n");
}

} // namespace

class TestProject : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path path(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private slots:
    void cleanupTestCase() { // Qt can't remove names that are not UTF-8
        fs::remove_all(m_folder.path().toStdString());
    }

    void whatIsWrittenIsRead() {
        Project project = sampleProject(path("one"));
        for (const ProjectScan& scan : project.scans)
            touch(scan.path);
        writeProject(path("one/p.json"), project);
        QVERIFY(isProjectFile(path("one/p.json")));
        project.scans[2].path = project.scans[2].path.lexically_normal();
        const Project again = readProject(path("one/p.json"));
        QVERIFY(again == project);
        QVERIFY(missingScans(again).empty());
    }

    void generatedScansAreNamedByTheirParameters() {
        Project project;
        project.scans.resize(1);
        project.scans[0].sample = synth::ScanParams{synth::Scene::room, 20'000, 7, 0.02f, 640};
        writeProject(path("generated.json"), project);
        const Project read = readProject(path("generated.json"));
        QVERIFY(read.scans == project.scans);
        QVERIFY(missingScans(read).empty() && filesOf(read).empty());
        const CliResult done = cli({"run", path("generated.json").string()});
        QVERIFY2(done.code == 0 && done.out.find("20,000 points") != std::string::npos,
                 (done.out + done.err).c_str());
        const auto refused = [&](const char* key, const Json& value) {
            Json json = Json::parse(readFile(path("generated.json")));
            json["scans"][0]["sample"][key] = value;
            try {
                projectFromJson(json.dump(), path(""));
            } catch (const EngineError&) {
                return true;
            }
            return false;
        };
        QVERIFY(!refused("seed", 8));
        QVERIFY(refused("scene", "moon"));
        QVERIFY(refused("points", -1) && refused("points", 1e4) && refused("points", "many"));
        QVERIFY(refused("range_noise", nullptr));
        Json json = Json::parse(readFile(path("generated.json")));
        json["kind"] = "clouds";
        writeFile(path("among others.json"), json.dump());
        QVERIFY_EXCEPTION_THROWN(readProject(path("among others.json")), EngineError);
    }

    /// 40,000 strokes, with the states before the last two.
    void longListsOfEditsAreReadAgain() {
        auto random = seededRandom("longListsOfEditsAreReadAgain");
        std::uniform_real_distribution<double> place(-500, 500);
        Project project;
        project.scans = {{path("long/a.ply")}};
        for (int i = 0; i < 40'000; ++i) {
            StrokeRegion stroke;
            stroke.radius = 0.25;
            for (int k = 0; k < 20; ++k)
                stroke.path.push_back({place(random), place(random), place(random)});
            project.recipe->edits =
                withStep(std::move(project.recipe->edits), stepOf(SetOperation::add, std::move(stroke)));
            if (i + 3 >= 40'000)
                project.steps.push_back({project.recipe});
        }
        project.step = 2;
        fs::create_directories(path("long"));
        writeProject(path("long/p.json"), project);
        QVERIFY(readProject(path("long/p.json")) == project);
    }

    void whatCannotBeReadAgainIsNotWritten() {
        const Project good = sampleProject(path("limits"));
        fs::create_directories(path("limits"));
        writeProject(path("limits/p.json"), good);
        const std::string before = readFile(path("limits/p.json"));
        const auto refusal = [&](const Project& project) {
            try {
                writeProject(path("limits/p.json"), project);
                return std::string();
            } catch (const EngineError& error) {
                return std::string(error.what());
            }
        };
        Project project = good;
        project.measures[0].kind = MeasureKind::area;
        project.measures[0].points.assign(rowOf(MeasureKind::area).maxPoints + 1, {{1, 2, 3}});
        QVERIFY2(refusal(project).find("has 1001 points") != std::string::npos, refusal(project).c_str());
        project = good;
        project.steps.assign(10'001, good.steps[0]);
        QVERIFY2(refusal(project).find("has 10001 steps") != std::string::npos, refusal(project).c_str());
        project = good;
        project.window = '"' + std::string(kMaxDocumentBytes, 'w') + '"';
        const std::string why = refusal(project);
        QVERIFY2(why.find("has 257 MiB, more than the maximum of 256 MiB") != std::string::npos, why.c_str());
        QVERIFY(readFile(path("limits/p.json")) == before);
    }

    void aProjectThatWasMovedFindsItsScans() {
        const Project project = sampleProject(path("two"));
        for (const ProjectScan& scan : project.scans)
            touch(scan.path);
        writeProject(path("two/p.json"), project);
        fs::create_directories(path("three"));
        // moved together with its scans
        fs::copy(path("two"), path("three/moved"), fs::copy_options::recursive);
        QCOMPARE(readProject(path("three/moved/p.json")).scans[0].path, path("three/moved/scans/a.ply"));
        fs::create_directories(path("four"));
        fs::copy(path("two/p.json"), path("four/p.json")); // moved without its scans
        QCOMPARE(readProject(path("four/p.json")).scans[0].path, path("two/scans/a.ply"));
        fs::remove_all(path("two"));
        fs::remove_all(path("three"));
        Project lost = readProject(path("four/p.json"));
        QCOMPARE(missingScans(lost).size(), std::size_t(2));
        touch(path("four/a.ply")); // this scan is next to the project
        lost = readProject(path("four/p.json"));
        QCOMPARE(lost.scans[0].path, path("four/a.ply"));
        QCOMPARE(findMissingFiles(lost, path("nowhere")), std::size_t(0));
        touch(path("five/deep/er/b \xff.ply"));
        QCOMPARE(findMissingFiles(lost, path("five")), std::size_t(1));
        QCOMPARE(lost.scans[1].path, path("five/deep/er/b \xff.ply"));
        QVERIFY(missingScans(lost).empty());

        Project survey; // a folder of scans
        survey.scans = {{path("six/city")}};
        touch(path("eight/down/city/1.las"));
        QCOMPARE(findMissingFiles(survey, path("eight")), std::size_t(1));
        QCOMPARE(survey.scans[0].path, path("eight/down/city"));
        survey.scans = {{path("six/city")}};
        // only the named scan is missing
        QCOMPARE(findMissingFiles(survey, path("eight/down/city")), std::size_t(1));

        Project twins; // two files of the same name, distinguished by their folders
        twins.scans = {{path("six/left/1.ply")}, {path("six/right/1.ply")}};
        touch(path("seven/right/1.ply"));
        touch(path("seven/left/1.ply"));
        QCOMPARE(findMissingFiles(twins, path("seven")), std::size_t(2));
        QCOMPARE(twins.scans[0].path, path("seven/left/1.ply"));
        QCOMPARE(twins.scans[1].path, path("seven/right/1.ply"));
        Project unclear;
        unclear.scans = {{path("six/middle/1.ply")}};
        QCOMPARE(findMissingFiles(unclear, path("seven")), std::size_t(0)); // ambiguous
    }

    void aProjectThatWasMovedFindsItsModels() {
        const fs::path first = path("models one");
        Project project;
        project.kind = ProjectKind::clouds;
        project.scans = {{first / "a.ply"}, {first / "b.ply"}};
        project.scans[1].recipe = comparedWith(first / "cad/\xff part.stl");
        project.together = Project::Step{comparedWith(first / "cad/lid.stl")};
        project.recipe = comparedWith(first / "cad/lid.stl");
        project.steps = {{comparedWith(first / "cad/lid.stl")}, {project.recipe}};
        for (const char* name : {"a.ply", "b.ply", "cad/\xff part.stl", "cad/lid.stl"})
            touch(first / name);
        writeProject(first / "p.json", project);
        QVERIFY(readProject(first / "p.json") == project);
        keepDocument("project_models.json", toJson(project, first));

        const fs::path second = path("models two/moved"); // moved together with its models
        fs::create_directories(second.parent_path());
        fs::copy(first, second, fs::copy_options::recursive);
        const Project moved = readProject(second / "p.json");
        QCOMPARE(modelOf(moved.recipe), second / "cad/lid.stl");
        QCOMPARE(modelOf(moved.steps[0].recipe), second / "cad/lid.stl");
        QCOMPARE(modelOf(moved.steps[1].recipe), second / "cad/lid.stl");
        QCOMPARE(modelOf(*moved.scans[1].recipe), second / "cad/\xff part.stl");
        QCOMPARE(modelOf(moved.together->recipe), second / "cad/lid.stl");

        const fs::path third = path("models three"); // moved without its models
        fs::create_directories(third);
        fs::copy(first / "p.json", third / "p.json");
        QCOMPARE(modelOf(readProject(third / "p.json").recipe), first / "cad/lid.stl");
        fs::remove_all(first);
        // found at its relative path
        QCOMPARE(modelOf(readProject(third / "p.json").recipe), third / "cad/lid.stl");
        touch(third / "lid.stl");
        // found next to the project
        QCOMPARE(modelOf(readProject(third / "p.json").recipe), third / "lid.stl");

        // a folder that is searched for scans has models, too
        Project lost = readProject(third / "p.json");
        QCOMPARE(missingModels(lost), std::vector<fs::path>{third / "cad/\xff part.stl"});
        touch(path("models four/deep/\xff part.stl"));
        QCOMPARE(findMissingFiles(lost, path("models four")), std::size_t(1));
        QCOMPARE(modelOf(*lost.scans[1].recipe), path("models four/deep/\xff part.stl"));
        QVERIFY(missingModels(lost).empty());
    }

    /// Older projects name models in their recipes only.
    void modelsOfOlderProjectsAreLookedForBesideThem() {
        const fs::path folder = path("older");
        Project project;
        project.scans = {{folder / "a.ply"}};
        project.recipe = comparedWith("/not there/lid.stl");
        Json json = Json::parse(toJson(project, folder));
        json.erase("models");
        QCOMPARE(modelOf(projectFromJson(json.dump(), folder).recipe), fs::path("/not there/lid.stl"));
        touch(folder / "lid.stl");
        QCOMPARE(modelOf(projectFromJson(json.dump(), folder).recipe), folder / "lid.stl");
    }

    void otherFilesAreNoProjects() {
        writeFile(path("recipe.json"), "{\n  \"scanloupe_recipe\": 1}");
        writeFile(path("empty.json"), "");
        for (const char* name : {"recipe.json", "empty.json", "none.json", "."})
            QVERIFY(!isProjectFile(path(name)));
        QVERIFY_EXCEPTION_THROWN(readProject(path("recipe.json")), EngineError);
        QVERIFY_EXCEPTION_THROWN(readProject(path("none.json")), EngineError);
        std::string text = toJson(sampleProject(path("x")), path("x"));
        keepDocument("project.json", text);
        Project small;
        small.scans = {{path("x/a.ply")}};
        keepDocument("project_small.json", toJson(small, path("x")));
        text.replace(text.find(": 1"), 3, ": 7");
        try {
            projectFromJson(text, path("x"));
            QFAIL("a newer version was read");
        } catch (const EngineError& error) {
            QVERIFY(QString::fromUtf8(error.what()).contains("version 7"));
            QVERIFY(QString::fromStdString(error.nextStep()).contains("newer version of Scanloupe"));
        }
    }

    void theCommandLineRunsProjects() {
        fs::create_directories(path("run"));
        const auto cloud = bumpyCloud(20'000);
        for (const char* name : {"run/a.ply", "run/b.ply"})
            writeCloud(path(name), *cloud, {}, {});
        Project project;
        project.scans = {{path("run/a.ply")}};
        project.recipe = recipeWith("voxel_size", "0.1");
        writeProject(path("run/one.json"), project);
        const auto triangles = [&](const std::string& mesh) { return readJson(path("run") / mesh); };
        CliResult done =
            cli({"run", path("run/one.json").string(), "--save-recipe", path("run/used.json").string()});
        QVERIFY2(done.code == 0, done.err.c_str());
        QCOMPARE(triangles("used.json")["voxel_size"][0].get<double>(), 0.1);
        done = cli({"run", path("run/one.json").string(), "--voxel-size", "0.2", "--save-recipe",
                    path("run/used.json").string()});
        // options take precedence over the project
        QCOMPARE(triangles("used.json")["voxel_size"][0].get<double>(), 0.2);

        project.kind = ProjectKind::place;
        project.shown = Project::kTogether;
        project.scans.push_back({path("run/b.ply")});
        project.scans.push_back({path("run/a.ply"), false});
        writeProject(path("run/place.json"), project);
        done = cli({"run", path("run/place.json").string()});
        QVERIFY2(done.code == 0, done.err.c_str());
        QVERIFY2(done.out.find("40,000 points") != std::string::npos, done.out.c_str());

        project.kind = ProjectKind::clouds;
        project.shown = 1;
        project.scans[0].recipe = recipeWith("voxel_size", "0.3");
        // its last recipe; the one of the shown scan counts
        project.scans[1].recipe = recipeWith("voxel_size", "0.5");
        project.scans.pop_back();
        writeProject(path("run/clouds.json"), project);
        done =
            cli({"run", path("run/clouds.json").string(), "--save-recipe", path("run/each.json").string()});
        QVERIFY2(done.code == 0, done.err.c_str());
        QCOMPARE(triangles("each_a.json")["voxel_size"][0].get<double>(), 0.3);
        QCOMPARE(triangles("each_b.json")["voxel_size"][0].get<double>(), 0.1);

        project = {};
        project.scans = {{path("run/a.ply")}};
        project.recipe = comparedWith(path("run/cad/lid.stl"));
        writeProject(path("run/compared.json"), project);
        done = cli({"run", path("run/compared.json").string()});
        QVERIFY2(done.code == 0, done.err.c_str()); // runs although the model is missing
        const std::string said = done.out + done.err;
        QVERIFY2(said.find((path("run/cad/lid.stl")).string()) != std::string::npos, said.c_str());
        QVERIFY2(said.find("next to the project") != std::string::npos, said.c_str());

        touch(path("run/lid.ply")); // the project names a model that no layer uses
        auto json = nlohmann::ordered_json::parse(toJson(project, path("run")));
        json["recipe"].erase("edits");
        json["models"] =
            nlohmann::ordered_json::array({{{"path", "lid.ply"}, {"full_path", "/not there/lid.ply"}}});
        writeFile(path("run/listed.json"), json.dump());
        const Project listed = readProject(path("run/listed.json"));
        QVERIFY(listed.otherModels == std::vector{path("run/lid.ply")});
        QVERIFY(Json::parse(toJson(listed, path("run")))["models"][0]["path"] == "lid.ply");
        done = cli({"run", path("run/listed.json").string(), "--mesh", path("run/lid.ply").string()});
        QCOMPARE(done.code, 2);
        QVERIFY2(done.err.find("overwrite an input file") != std::string::npos, done.err.c_str());

        fs::remove(path("run/b.ply"));
        done = cli({"run", path("run/clouds.json").string()});
        QCOMPARE(done.code, 2);
        QVERIFY2(done.err.find("1 scan of the project can't be found") != std::string::npos,
                 done.err.c_str());
        const std::string before = readFile(path("run/a.ply"));
        done = cli({"run", path("run/one.json").string(), "--mesh", path("run/a.ply").string()});
        QCOMPARE(done.code, 2); // the scan of the project is not overwritten
        QVERIFY(readFile(path("run/a.ply")) == before);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestProject)
#include "test_project.moc"
