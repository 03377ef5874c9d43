package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each test: no thread of ours, no off-heap byte and no open file more than before. */
public final class NothingLeft implements BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(NothingLeft.class);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

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

    /** Open descriptors of every kind, or 0 where the system does not list them; code loading may add some. */
    public static int descriptors() {
        String[] open = DESCRIPTORS.toFile().list();
        return open == null ? 0 : open.length;
    }

    /**
     * The data files that this process has open, one entry a descriptor; empty where the system does not list them.
     * Code (archives, native libraries), devices and what the build writes are left out: the JVM opens those when it
     * likes.
     */
    public static List<String> openFiles() {
        List<String> open = new ArrayList<>();
        String[] numbers = DESCRIPTORS.toFile().list();
        for (String number : numbers == null ? new String[0] : numbers) {
            String target = target(number);
            if (isData(target)) {
                open.add(target);
            }
        }
        open.sort(null);
        return open;
    }

    /** What a descriptor points to; "" when it was closed meanwhile, as that of the listing itself is. */
    private static String target(String number) {
        try {
            return Files.readSymbolicLink(DESCRIPTORS.resolve(number)).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean isData(String target) {
        return target.startsWith(File.separator)
                && !target.matches("/(dev|proc|sys)/.*")
                && !target.matches(".*\\.(jar|jmod|class|jsa|so|exec|log|dumpstream)")
                && !target.contains("surefire")
                && !target.endsWith("/lib/modules")
                && !new File(target).isDirectory();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(SPACE).put("bytes", bytes());
        context.getStore(SPACE).put("files", openFiles());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Long before = Objects.requireNonNull(context.getStore(SPACE).get("bytes", Long.class));
        await("threads end")
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(threads()).isEmpty());
        assertThat(bytes()).as("off-heap bytes left").isEqualTo(before);
        List<?> files = Objects.requireNonNull(context.getStore(SPACE).get("files", List.class));
        List<String> more = new ArrayList<>(openFiles());
        files.forEach(more::remove);
        assertThat(more).as("files left open").isEmpty();
    }
}
