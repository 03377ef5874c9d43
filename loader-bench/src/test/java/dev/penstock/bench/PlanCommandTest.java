package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlanCommandTest {

    @TempDir
    Path folder;

    @Test
    void planSaysHowWellAnEpochIsShuffledAndDrawsIt() throws IOException {
        Path videos = Path.of(System.getProperty("penstock.shared", "../shared/data"), "video");
        assumeTrue(Files.isDirectory(videos), "no shared data at " + videos);
        Path picture = folder.resolve("plan.svg");
        String shuffled = run(videos, "--seed", "7", "--picture", picture.toString());
        assertThat(shuffled)
                .contains("order       blocks(seed 7, buffer 2048, interleave 16), epoch 0")
                .containsPattern("neighbours +[0-9.]+ samples apart")
                .containsPattern("episodes +[0-9.]+ of [0-9]+ in a batch");
        assertThat(picture).content().startsWith("<svg").contains("position in the data");
        assertThat(share(run(videos, "--shuffle", "none"))).isLessThan(share(shuffled) / 5);
    }

    @Test
    void aPictureHasADotForEachSampleWhereItStands() throws IOException {
        PlanPicture picture = new PlanPicture(new long[] {0, 50, 99}, 100, "test");
        assertThat(picture.svg().split("M[0-9.]+ [0-9.]+h0", -1)).hasSize(4);
        BufferedImage png = ImageIO.read(new ByteArrayInputStream(picture.png()));
        assertThat(png.getWidth()).isEqualTo(720);
        assertThat(png.getRGB(40 + 640 / 6, 40 + 640 - 4)).isEqualTo(0xff1f5fa8); // first in both
        assertThat(png.getRGB(40 + 640 * 5 / 6, 44)).isEqualTo(0xff1f5fa8); // last in both
        assertThat(png.getRGB(100, 100)).isEqualTo(0xffffffff);
    }

    private static String run(Path videos, String... options) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = new String[options.length + 5];
        all[0] = "plan";
        all[1] = videos.toString();
        all[2] = "--frames=2";
        all[3] = "--anchor-every=1";
        all[4] = "--size=32x32";
        System.arraycopy(options, 0, all, 5, options.length);
        assertThat(command.execute(all)).as("%s", err).isZero();
        return out.toString();
    }

    /** The neighbours' distance as a share of a full permutation's, in percent. */
    private static double share(String text) {
        return Double.parseDouble(
                text.replaceAll("(?s).*on average: ([0-9.]+) % of a full permutation.*episodes.*", "$1"));
    }
}
