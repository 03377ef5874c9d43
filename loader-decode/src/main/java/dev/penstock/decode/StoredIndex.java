package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.ClipIndexFile;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;

/** Reads the index that a clip brings with it. It holds wherever the clip was copied to, so only the size must match. */
final class StoredIndex {
    private StoredIndex() {}

    static ClipIndex read(URI file, Blob clip) throws IOException {
        ClipIndex index;
        try {
            index = ClipIndexFile.decode(BlobStores.of(file).readAll(file));
        } catch (IOException e) {
            throw new DatasetException(
                    Addresses.readable(file) + ", the index of " + Addresses.readable(clip.uri()) + ": "
                            + e.getMessage() + "; make the clip and its index again",
                    e);
        }
        if (index.source().blobSize() != clip.size()) {
            throw new DatasetException(Addresses.readable(clip.uri()) + " has " + clip.size() + " bytes, its index "
                    + Addresses.readable(file) + " is of a clip of "
                    + index.source().blobSize()
                    + "; one of the two was replaced or cut: make both again");
        }
        return index.at(clip.uri(), clip.identity());
    }
}
