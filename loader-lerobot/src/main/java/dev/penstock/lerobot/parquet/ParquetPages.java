package dev.penstock.lerobot.parquet;

import dev.penstock.spi.DatasetException;
import io.airlift.compress.Decompressor;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** The unpacked pages of one column chunk, without their statistics. One use, one thread. */
final class ParquetPages implements PageReader {
    /** Writers make pages of about 1 MiB; a header that says more than this is wrong, or not meant for us. */
    private static final int MOST_PAGE_BYTES = 256 << 20;

    private final String where;
    private final CompressionCodec codec;
    private final byte[] chunk;
    private final ArrayDeque<DataPage> pages = new ArrayDeque<>();
    private @Nullable DictionaryPage dictionary;
    private long values;

    /**
     * @param chunk its bytes, pages one behind the other
     * @param where file and field, for messages
     */
    ParquetPages(byte[] chunk, CompressionCodec codec, String where) throws IOException {
        this.chunk = chunk;
        this.codec = codec;
        this.where = where;
        ByteArrayInputStream stream = new ByteArrayInputStream(chunk);
        while (stream.available() > 0) {
            PageHeader header = header(stream);
            int from = chunk.length - stream.available();
            int size = header.getCompressed_page_size();
            if (size < 0 || size > stream.available() || header.getUncompressed_page_size() < 0) {
                throw broken("has a page of " + size + " bytes where " + stream.available() + " are left");
            }
            if (header.getUncompressed_page_size() > MOST_PAGE_BYTES) {
                throw broken("has a page of " + header.getUncompressed_page_size() + " bytes, the limit is "
                        + MOST_PAGE_BYTES);
            }
            checkSum(header, from, size);
            page(header, from, size);
            stream.skipNBytes(size);
        }
    }

    private PageHeader header(ByteArrayInputStream stream) throws DatasetException {
        try {
            return Util.readPageHeader(stream);
        } catch (IOException | RuntimeException e) {
            throw new DatasetException(
                    where + " has a page header that can't be read: the file is damaged (" + e.getMessage() + ")", e);
        }
    }

    private void checkSum(PageHeader header, int from, int size) throws DatasetException {
        if (header.isSetCrc()) {
            CRC32 crc = new CRC32();
            crc.update(chunk, from, size);
            if ((int) crc.getValue() != header.getCrc()) {
                throw broken("has a page whose checksum is wrong: the file is damaged");
            }
        }
    }

    private void page(PageHeader header, int from, int size) throws IOException {
        int unpacked = header.getUncompressed_page_size();
        DictionaryPageHeader words = header.getDictionary_page_header();
        DataPageHeader first = header.getData_page_header();
        DataPageHeaderV2 second = header.getData_page_header_v2();
        if (words != null) {
            dictionary = new DictionaryPage(
                    BytesInput.from(unpack(from, size, unpacked)),
                    words.getNum_values(),
                    encoding(words.getEncoding()));
        } else if (first != null) {
            values += first.getNum_values();
            pages.add(new DataPageV1(
                    BytesInput.from(unpack(from, size, unpacked)),
                    first.getNum_values(),
                    unpacked,
                    null,
                    encoding(first.getRepetition_level_encoding()),
                    encoding(first.getDefinition_level_encoding()),
                    encoding(first.getEncoding())));
        } else if (second != null) {
            values += second.getNum_values();
            pages.add(second(second, from, size, unpacked));
        }
    }

    private DataPage second(DataPageHeaderV2 header, int from, int size, int unpacked) throws IOException {
        int repetitions = header.getRepetition_levels_byte_length();
        int definitions = header.getDefinition_levels_byte_length();
        int levels = repetitions + definitions;
        if (repetitions < 0 || definitions < 0 || levels < 0 || levels > Math.min(size, unpacked)) {
            throw broken("has a page whose levels are longer than the page");
        }
        boolean packed = !header.isSetIs_compressed() || header.isIs_compressed();
        byte[] data = packed
                ? unpack(from + levels, size - levels, unpacked - levels)
                : Arrays.copyOfRange(chunk, from + levels, from + size);
        return DataPageV2.uncompressed(
                header.getNum_rows(),
                header.getNum_nulls(),
                header.getNum_values(),
                BytesInput.from(chunk, from, repetitions),
                BytesInput.from(chunk, from + repetitions, definitions),
                encoding(header.getEncoding()),
                BytesInput.from(data),
                null);
    }

    private byte[] unpack(int from, int size, int unpacked) throws IOException {
        if (unpacked == 0) {
            return new byte[0]; // some writers leave out the packed form of nothing
        }
        return switch (codec) {
            case UNCOMPRESSED -> Arrays.copyOfRange(chunk, from, from + size);
            case SNAPPY -> unpack(new SnappyDecompressor(), from, size, unpacked);
            case ZSTD -> unpack(new ZstdDecompressor(), from, size, unpacked);
            case LZ4_RAW -> unpack(new Lz4Decompressor(), from, size, unpacked);
            case GZIP -> gunzip(from, size, unpacked);
            default ->
                throw broken("is packed with " + codec
                        + ", which is not read; SNAPPY, ZSTD, GZIP, LZ4_RAW and UNCOMPRESSED are: write it anew");
        };
    }

    private byte[] gunzip(int from, int size, int unpacked) throws DatasetException {
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(chunk, from, size))) {
            return exactly(stream.readNBytes(unpacked), unpacked);
        } catch (DatasetException e) {
            throw e;
        } catch (IOException e) {
            throw new DatasetException(where + " has a page that can't be unpacked (GZIP): " + e.getMessage(), e);
        }
    }

    private byte[] unpack(Decompressor decompressor, int from, int size, int unpacked) throws DatasetException {
        byte[] bytes = new byte[unpacked];
        try {
            int length = decompressor.decompress(chunk, from, size, bytes, 0, unpacked);
            return exactly(length == unpacked ? bytes : Arrays.copyOf(bytes, length), unpacked);
        } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new DatasetException(
                    where + " has a page that can't be unpacked (" + codec + "): " + e.getMessage()
                            + "; the file is damaged",
                    e);
        }
    }

    private byte[] exactly(byte[] bytes, int unpacked) throws DatasetException {
        if (bytes.length != unpacked) {
            throw broken("has a page of " + bytes.length + " bytes where its header says " + unpacked);
        }
        return bytes;
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
        return Encoding.valueOf(encoding.name());
    }

    private DatasetException broken(String what) {
        return new DatasetException(where + " " + what);
    }

    @Override
    public @Nullable DictionaryPage readDictionaryPage() {
        return dictionary;
    }

    @Override
    public long getTotalValueCount() {
        return values;
    }

    @Override
    public @Nullable DataPage readPage() {
        return pages.poll();
    }
}
