package dev.penstock.spi;

/**
 * Which sample: for messages and the quarantine file.
 *
 * @param dataset the dataset's name
 * @param sample the sample's number in the source
 * @param episode the episode's id
 * @param anchorSeconds the anchor on the episode's clock
 */
public record SampleIdentity(String dataset, long sample, String episode, double anchorSeconds) {
    @Override
    public String toString() {
        return String.format(
                java.util.Locale.ROOT,
                "sample %d (%s, episode %s, anchor %.3f s)",
                sample,
                dataset,
                episode,
                anchorSeconds);
    }
}
