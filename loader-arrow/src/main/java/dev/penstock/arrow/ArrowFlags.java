package dev.penstock.arrow;

import org.apache.arrow.memory.BufferAllocator;

/** Checks that this JVM lets Arrow's allocator reach direct memory. Only writing needs it; reading maps files itself. */
public final class ArrowFlags {
    /** The option for programs on the class path. */
    public static final String OPTION = "--add-opens=java.base/java.nio=ALL-UNNAMED";

    private ArrowFlags() {}

    /**
     * Passes where writing Arrow is possible.
     *
     * @throws IllegalStateException when the option is missing; the message has it
     */
    public static void require() {
        Module memory = BufferAllocator.class.getModule();
        if (!Object.class.getModule().isOpen("java.nio", memory)) {
            throw new IllegalStateException("writing Arrow needs the JVM option "
                    + (memory.isNamed() ? "--add-opens=java.base/java.nio=" + memory.getName() : OPTION)
                    + "; add it to the java command (or 'Add-Opens: java.base/java.nio' to the manifest of the jar that is"
                    + " run)");
        }
    }
}
