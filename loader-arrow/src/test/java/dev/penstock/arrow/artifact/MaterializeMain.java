package dev.penstock.arrow.artifact;

import dev.penstock.decode.Episodes;
import java.nio.file.Path;

/** A run of the materializer in a JVM of its own, to be killed: source, target, codec. Prints a line for each frame. */
final class MaterializeMain {
    private MaterializeMain() {}

    public static void main(String[] args) throws Exception {
        try {
            Materializer.of(Episodes.open(Path.of(args[0])), SmallSource.view())
                    .codec(ArtifactCodec.valueOf(args[2]))
                    .threads(2)
                    .progress((frames, all, episodes, allEpisodes) -> System.out.println(frames))
                    .to(Path.of(args[1]));
            System.out.println("done");
        } catch (java.io.IOException e) {
            System.out.println("failed: " + e.getMessage());
            System.exit(3);
        }
    }
}
