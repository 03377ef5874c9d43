package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each test: no thread of ours, no off-heap byte, no descriptor more than before. */
public final class NothingLeft implements BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(NothingLeft.class);

    /** Live threads whose name says that they are ours. */
    public static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock-"))
                .sorted()
                .toList();
    }

    /** Off-heap bytes not freed. */
    public static long bytes() {
        return NativeMemory.liveBytes();
    }

    /** Open file descriptors of this process, or 0 where the system does not list them. */
    public static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(SPACE).put("bytes", bytes());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Long before = Objects.requireNonNull(context.getStore(SPACE).get("bytes", Long.class));
        await("threads end")
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(threads()).isEmpty());
        assertThat(bytes()).as("off-heap bytes left").isEqualTo(before);
    }
}
