// The part of the doctor's report about the GPU.
#include "engine/cli/device_limits.h"
#include "tests/engine/cli/test_cli_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

class TestDoctor : public QObject {
    Q_OBJECT
private slots:
    void limitsOfTheGpuAreReported() {
        const DeviceInfo info = probeDevice();
        const CliResult doctor = test::cli({"doctor", "--json"});
        QCOMPARE(doctor.code, 0);
        const Json limits = Json::parse(doctor.out).at("gpu_limits");
        QCOMPARE(limits.is_null(), !info.usable);
        QVERIFY(limits == Json(scanloupe::cli::limitsJson(info)));
        QCOMPARE(test::cli({"doctor"}).out.find("registers") != std::string::npos, info.usable);
        if (!info.usable)
            return;
        QVERIFY(info.limits.threadsPerBlock >= 1024 && info.limits.registersPerBlock >= 32'768);
        QVERIFY(info.limits.sharedPerBlock >= 48 << 10);
        QVERIFY(info.limits.sharedPerBlockOptIn >= info.limits.sharedPerBlock);
        QVERIFY(info.limits.sharedPerMultiprocessor >= info.limits.sharedPerBlockOptIn);
    }

    void limitsAreSentencesAndNumbers() {
        DeviceInfo device;
        QVERIFY(scanloupe::cli::limitsJson(device).is_null());
        device.usable = true;
        device.limits = {1024, 65'536, 48 << 10, 227 << 10, 228 << 10, false}; // limits of an H200
        const Json limits = scanloupe::cli::limitsJson(device);
        QCOMPARE(limits.at("threads_per_block").get<int>(), 1024);
        QCOMPARE(limits.at("registers_per_block").get<int>(), 65'536);
        QCOMPARE(limits.at("shared_bytes_per_block").get<int>(), 48 << 10);
        QCOMPARE(limits.at("shared_bytes_per_block_opt_in").get<int>(), 227 << 10);
        QCOMPARE(limits.at("shared_bytes_per_multiprocessor").get<int>(), 228 << 10);
        QCOMPARE(limits.at("has_watchdog").get<bool>(), false);
        const std::string text = scanloupe::cli::limitsText(device.limits);
        for (const char* words : {"1,024 threads", "65,536 registers", "48 KiB of shared memory",
                                  "227 KiB opt-in", "multiprocessor: 228 KiB", "no time limit"})
            QVERIFY2(text.find(words) != std::string::npos, text.c_str());
        device.limits.hasWatchdog = true;
        QVERIFY(scanloupe::cli::limitsText(device.limits).find("watchdog") != std::string::npos);
        QCOMPARE(scanloupe::cli::limitsJson(device).at("has_watchdog").get<bool>(), true);
    }
};

SCANLOUPE_TEST(TestDoctor)
#include "test_doctor.moc"
