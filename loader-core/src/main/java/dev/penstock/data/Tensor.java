package dev.penstock.data;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One named tensor of a {@link Batch}, in off-heap memory that belongs to the batch.
 *
 * <p>The buffers are direct, in native byte order, and start on a 64-byte boundary, so DJL, TensorFlow-Java or ONNX
 * Runtime take them as they are. They are valid until the batch is given back (the iterator's following {@code next()},
 * or {@link Batch#close()} after {@link Batch#retain()}): every method of a tensor throws
 * {@link IllegalStateException} from then on, and a buffer taken earlier must no longer be touched.
 *
 * <p>Safe to read from several threads while the batch is held.
 */
public interface Tensor {

    /** Name, element type and shape of one sample. */
    TensorSpec spec();

    /** Name of the tensor. */
    default String name() {
        return spec().name();
    }

    /** Type of one element. */
    default ElementType type() {
        return spec().type();
    }

    /** Dense: {@code [N, sample shape…]}. Ragged and text: the shape of the values, {@code [total, row shape…]}. */
    long[] shape();

    /**
     * All elements in row-major order, as a fresh view from position 0 to the tensor's end. Writing to it is allowed
     * (in-place augmentation); the contents are lost when the batch is given back.
     */
    ByteBuffer data();

    /**
     * Ragged and text: {@code N + 1} int32 offsets into the rows of {@link #data()}, the first 0; sample {@code i} owns
     * rows {@code offsets[i]} to {@code offsets[i + 1]}.
     *
     * @throws UnsupportedOperationException for a dense tensor
     */
    ByteBuffer offsets();

    /** The elements of one sample: a slice of {@link #data()}. Its start is aligned only as its size allows. */
    ByteBuffer sample(int row);

    /** One sample of a text tensor. */
    String text(int row);

    /** All samples of a text tensor. */
    List<String> texts();
}
