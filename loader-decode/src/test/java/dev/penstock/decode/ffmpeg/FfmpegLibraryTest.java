package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;

class FfmpegLibraryTest {

    @Test
    void versionsAndLicenceAreThoseOfTheLgplBuild() {
        assertThat(FfmpegLibrary.versions()).containsKeys("ffmpeg", "avutil", "avcodec", "avformat", "swscale");
        assertThat(FfmpegLibrary.versions().get("avcodec")).startsWith("62.");
        assertThat(FfmpegLibrary.license()).startsWith("LGPL");
    }

    @Test
    void errorTextNamesWhatWasDoneAndFfmpegsReason() {
        FfmpegLibrary.load();
        assertThat(FfmpegErrors.text(avutil.AVERROR_INVALIDDATA()))
                .startsWith("Invalid data found when processing input (");
        assertThatThrownBy(() -> FfmpegErrors.check(avutil.AVERROR_EOF(), "reading clip a.mp4"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("reading clip a.mp4: End of file (");
        assertThat(FfmpegErrors.check(3, "reading")).isEqualTo(3);
    }
}
