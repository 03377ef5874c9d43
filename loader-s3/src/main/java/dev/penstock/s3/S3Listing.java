package dev.penstock.s3;

import dev.penstock.spi.BlobStore.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The entries of one folder, put together from the pages of its listing. What a page says of an object's size and etag
 * spares the HEAD when it is opened. Confined to one call.
 */
final class S3Listing {
    private final S3Location folder;
    private final HeadMemory heads;
    private final List<Entry> entries = new ArrayList<>();

    S3Listing(S3Location folder, HeadMemory heads) {
        this.folder = folder;
        this.heads = heads;
    }

    /** Takes one page. */
    void add(ListObjectsV2Response page) {
        String prefix = folder.prefix();
        for (CommonPrefix common : page.commonPrefixes()) {
            String name =
                    common.prefix().substring(prefix.length(), common.prefix().length() - 1);
            entries.add(new Entry(new S3Location(folder.bucket(), common.prefix()).uri(), name, 0, true));
        }
        for (S3Object object : page.contents()) {
            if (object.key().equals(prefix)) {
                continue; // the marker that some tools put for a folder
            }
            S3Location location = new S3Location(folder.bucket(), object.key());
            if (object.eTag() != null) {
                heads.put(location, new ObjectHead(object.size(), object.eTag()));
            }
            entries.add(new Entry(location.uri(), object.key().substring(prefix.length()), object.size(), false));
        }
    }

    /** All entries in order of name. */
    List<Entry> sorted() {
        entries.sort(Comparator.comparing(Entry::name));
        return entries;
    }
}
