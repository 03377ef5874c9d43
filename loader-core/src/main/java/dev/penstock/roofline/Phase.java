package dev.penstock.roofline;

/** The parts of a training step as the training thread sees them. */
public enum Phase {
    /** Blocked in the iterator's {@code next()}. */
    DATA_WAIT("data wait"),
    /** Copying the batch to the accelerator. */
    HOST_TO_DEVICE("host to device"),
    /** Forward, backward, optimizer. */
    COMPUTE("compute"),
    /** The rest of the loop's body: logging, metrics, checkpoints. */
    OTHER("other");

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** The phase's name in a report. */
    public String label() {
        return label;
    }
}
