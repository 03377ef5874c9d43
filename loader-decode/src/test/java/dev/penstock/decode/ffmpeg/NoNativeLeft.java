package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test: no decoder, scaler, demuxer or encoder, and no buffer of JavaCPP's, more than before. Registered for
 * all tests of this module, beside core's NothingLeft, by the service file in the test resources.
 */
public final class NoNativeLeft implements BeforeEachCallback, AfterEachCallback {
    /** Room for the addresses and strides that JavaCPP frees with the object that holds them: no buffer is as small. */
    private static final long TABLES = 16 << 10;

    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(NoNativeLeft.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(SPACE).put("objects", LiveNatives.count());
        context.getStore(SPACE).put("bytes", Pointer.totalBytes());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Integer objects = Objects.requireNonNull(context.getStore(SPACE).get("objects", Integer.class));
        assertThat(LiveNatives.count()).as("FFmpeg objects not closed").isEqualTo(objects);
        Long bytes = Objects.requireNonNull(context.getStore(SPACE).get("bytes", Long.class));
        assertThat(Pointer.totalBytes()).as("native bytes left").isLessThanOrEqualTo(bytes + TABLES);
    }
}
