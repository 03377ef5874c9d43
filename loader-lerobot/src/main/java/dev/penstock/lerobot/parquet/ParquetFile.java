package dev.penstock.lerobot.parquet;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.Blob;
import dev.penstock.spi.DatasetException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.VersionParser;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file's footer, and its columns on demand, row group by row group. Immutable but for what is read from the blob;
 * thread-safe as long as the blob is open. Layout: parquet.thrift and the README of the format.
 */
public final class ParquetFile {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL = 8;

    /**
     * One column of one row group.
     *
     * @param values of all its rows; without any where there is a problem
     * @param problem why no tensor holds them, or null
     */
    public record Column(StoredColumn values, @Nullable String problem) {}

    private final String where;
    private final FileMetaData footer;
    private final List<ParquetLeaf> leaves;
    private final long[] firstRows;

    /**
     * Reads the footer.
     *
     * @param where what messages call the file
     * @throws DatasetException when it is no whole Parquet file
     */
    public ParquetFile(Blob blob, String where) throws IOException {
        this.where = where;
        this.footer = footer(blob);
        try {
            this.leaves = List.copyOf(new ParquetLeaf.Reader(footer.getSchema()).leaves());
        } catch (RuntimeException e) { // a schema that does not hang together: too few elements, an unknown type
            throw new DatasetException(where + " is a Parquet file with a broken schema: " + e.getMessage(), e);
        }
        this.firstRows = new long[footer.getRow_groupsSize() + 1];
        for (int i = 0; i < footer.getRow_groupsSize(); i++) {
            firstRows[i + 1] = firstRows[i] + footer.getRow_groups().get(i).getNum_rows();
        }
    }

    private FileMetaData footer(Blob blob) throws IOException {
        long size = blob.size();
        if (size < MAGIC.length + TAIL) {
            throw broken("is no Parquet file: it has " + size + " bytes");
        }
        ByteBuffer tail = ByteBuffer.allocate(TAIL).order(ByteOrder.LITTLE_ENDIAN);
        blob.read(size - TAIL, tail);
        for (int i = 0; i < MAGIC.length; i++) {
            if (tail.get(4 + i) != MAGIC[i]) {
                throw broken("is no Parquet file, or a cut one: it does not end with PAR1"
                        + (tail.get(7) == 'E' ? " but with PARE (encrypted, which is not read)" : ""));
            }
        }
        int length = tail.getInt(0);
        if (length <= 0 || length > size - MAGIC.length - TAIL) {
            throw broken("says that its footer has " + length + " bytes, the file has " + size);
        }
        byte[] bytes = new byte[length];
        blob.read(size - TAIL - length, ByteBuffer.wrap(bytes));
        try {
            return Util.readFileMetaData(new ByteArrayInputStream(bytes));
        } catch (IOException | RuntimeException e) {
            throw new DatasetException(where + " has a footer that can't be read: " + e.getMessage(), e);
        }
    }

    /** The file's rows. */
    public long rows() {
        return firstRows[firstRows.length - 1];
    }

    /** The number of row groups. */
    public int groups() {
        return firstRows.length - 1;
    }

    /** The number of the first row of a group. */
    public long firstRow(int group) {
        return firstRows[group];
    }

    /** The names of its fields, in the file's order. */
    public List<String> names() {
        return leaves.stream().map(ParquetLeaf::name).toList();
    }

    /**
     * Reads one column of one row group whole.
     *
     * @throws DatasetException when the file is damaged; names file and field
     */
    public Column read(Blob blob, int group, String name) throws IOException {
        int number = names().indexOf(name);
        if (number < 0) {
            throw broken("has no field '" + name + "'; there are " + names());
        }
        ParquetLeaf leaf = leaves.get(number);
        String problem = leaf.problem();
        if (problem != null) {
            return unreadable(name, problem);
        }
        ParquetColumn column = new ParquetColumn(leaf);
        String field = where + ", field '" + name + "'";
        try {
            Column read = column.read(values(blob, group, number, leaf, field));
            if (column.records() != firstRows[group + 1] - firstRows[group]) {
                throw new DatasetException(field + " has " + column.records() + " values in row group " + group
                        + ", the group has " + (firstRows[group + 1] - firstRows[group]) + " rows");
            }
            return read;
        } catch (RuntimeException e) { // Parquet's decoders on bytes that are none of theirs
            throw new DatasetException(field + " can't be decoded in row group " + group + ": " + e, e);
        }
    }

    /** Reads the strings of a column of strings, or of lists of them, one list a row. */
    public List<List<String>> texts(Blob blob, String name) throws IOException {
        int number = names().indexOf(name);
        List<List<String>> texts = new ArrayList<>();
        for (int group = 0; number >= 0 && group < groups(); group++) {
            ParquetLeaf leaf = leaves.get(number);
            if (leaf.descriptor().getPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.BINARY) {
                throw broken("has no strings in field '" + name + "'");
            }
            Values values = values(blob, group, number, leaf, where + ", field '" + name + "'");
            ColumnReader reader = values.reader();
            for (long i = values.count(); i > 0; i--) {
                if (reader.getCurrentRepetitionLevel() == 0) {
                    texts.add(new ArrayList<>());
                }
                if (reader.getCurrentDefinitionLevel() == leaf.descriptor().getMaxDefinitionLevel()) {
                    texts.get(texts.size() - 1).add(reader.getBinary().toStringUsingUTF8());
                }
                reader.consume();
            }
        }
        return texts;
    }

    private Values values(Blob blob, int group, int number, ParquetLeaf leaf, String field) throws IOException {
        RowGroup rows = footer.getRow_groups().get(group);
        ColumnChunk chunk = rows.getColumns().get(number);
        ColumnMetaData about = chunk.getMeta_data();
        if (about == null || chunk.isSetFile_path()) {
            throw new DatasetException(field + " is encrypted or in another file, which is not read");
        }
        long from = about.getData_page_offset();
        if (about.isSetDictionary_page_offset() && about.getDictionary_page_offset() > 0) {
            from = Math.min(from, about.getDictionary_page_offset());
        }
        long length = about.getTotal_compressed_size();
        if (from < 0 || length < 0 || length > Integer.MAX_VALUE - 64 || from + length > blob.size()) {
            throw new DatasetException(field + " is said to lie at bytes " + from + " to " + (from + length)
                    + ", the file has " + blob.size());
        }
        byte[] bytes = new byte[(int) length];
        blob.read(from, ByteBuffer.wrap(bytes));
        ParquetPages pages = new ParquetPages(bytes, about.getCodec(), field);
        long count = pages.getTotalValueCount();
        return new Values(
                new ColumnReaderImpl(leaf.descriptor(), pages, new PrimitiveConverter() {}, version()), count);
    }

    private VersionParser.@Nullable ParsedVersion version() {
        try {
            return footer.getCreated_by() == null ? null : VersionParser.parse(footer.getCreated_by());
        } catch (VersionParser.VersionParseException e) {
            return null; // only matters for bugs of writers that are known by their version
        }
    }

    /** A column's decoder, and how many values (or absences of one) it has. */
    record Values(ColumnReader reader, long count) {}

    /** A column that no tensor holds. */
    static Column unreadable(String name, String problem) {
        TruthField field = new TruthField(name, TruthType.MIXED, false, List.of(), false);
        return new Column(new StoredColumn(field, 0, false, 0, null, null, false, null), problem);
    }

    private DatasetException broken(String what) {
        return new DatasetException(where + " " + what);
    }
}
