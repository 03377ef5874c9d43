package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.view.Size;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The other kinds of datasets in a bucket: LeRobot folders, and artifacts written to it and read from it. */
class S3DatasetsTest {
    @TempDir
    static Path folder;

    private static S3Bucket bucket;

    @BeforeAll
    static void start() throws Exception {
        System.setProperty("penstock.indexCache", folder.resolve("indexes").toString());
        bucket = S3Bucket.start(folder.resolve("server"));
    }

    @AfterAll
    static void end() {
        System.clearProperty("penstock.indexCache");
        if (bucket != null) {
            bucket.close();
        }
    }

    @AfterEach
    void noFaults() {
        bucket.proxy().plan(FaultPlan.none()).forget();
    }

    private static String[] command(String name, String data, String... more) {
        List<String> all = new ArrayList<>(List.of(name, data));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lerobot_v21_made_2cam", "lerobot_v30_made_2cam"})
    void aLeRobotFolderInABucketIsThatOnDisk(String name) throws Exception {
        Path local = Path.of(System.getProperty("penstock.shared", ""))
                .resolve("datasets")
                .resolve(name)
                .toAbsolutePath()
                .normalize();
        Assumptions.assumeTrue(Files.isDirectory(local), "shared datasets are absent: " + local);
        String remote = bucket.upload(local, name);
        assertThat(bucket.succeed("inspect", remote).out().replace(remote, local + "/"))
                .isEqualTo(Said.by("inspect", local.toString()).out());
        String[] view = {"--camera", "observation.images.left", "--frames", "4", "--size", "32x48", "--seed", "3"};
        String here = Said.by(command("digest", local.toString(), view)).lastLine();
        assertThat(here).matches("[0-9a-f]{64}");
        bucket.proxy().plan(FaultPlan.mixed(23, 0.05, S3CommandsTest.FAULTS));
        assertThat(bucket.succeed(command("digest", remote, view)).lastLine()).isEqualTo(here);
    }

    @Test
    void anArtifactIsWrittenToABucketAndReadFromIt() throws Exception {
        Path index = DemoDataset.make(
                folder.resolve("demo"), DemoSettings.STANDARD.length(2, 2).size(Size.of(160, 96)), (done, total) -> {});
        Path local = index.toAbsolutePath().getParent();
        String remote = bucket.upload(local, "raw");
        String[] view = {"--camera", "front", "--frames", "4", "--size", "64x48"};
        Path here = folder.resolve("artifact");
        assertThat(Said.by(materialize(local.toString(), here.toString(), view)).code())
                .isZero();
        String there = "s3://data/artifact/";
        bucket.proxy().plan(FaultPlan.mixed(29, 0.05, S3CommandsTest.FAULTS));
        Said written = bucket.run(materialize(remote, there, view));
        assertThat(written.code()).as(written.err()).isZero();
        String right = Said.by(command("digest", here.toString(), view)).lastLine();
        assertThat(right).matches("[0-9a-f]{64}");
        assertThat(bucket.succeed(command("digest", there, view)).lastLine()).isEqualTo(right);
    }

    private static String[] materialize(String from, String to, String[] view) {
        List<String> all = new ArrayList<>(List.of("materialize", from, to));
        all.addAll(List.of(view));
        return all.toArray(String[]::new);
    }
}
