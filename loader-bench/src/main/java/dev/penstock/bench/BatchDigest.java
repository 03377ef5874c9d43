package dev.penstock.bench;

import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** SHA-256 over what batches hold: name, type, shape and bytes of each tensor, offsets too. Not thread-safe. */
final class BatchDigest {
    private final MessageDigest sum;

    BatchDigest() {
        try {
            sum = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    void add(Batch batch) {
        for (Tensor tensor : batch.tensors()) {
            String head = tensor.name() + " " + tensor.type() + " " + Arrays.toString(tensor.shape()) + "\n";
            sum.update(head.getBytes(StandardCharsets.UTF_8));
            sum.update(tensor.data());
            if (!tensor.spec().isDense()) {
                ByteBuffer offsets = tensor.offsets();
                sum.update(offsets);
            }
        }
    }

    /** The digest so far, lower-case hexadecimal; adding goes on from the start afterwards. */
    String hex() {
        return HexFormat.of().formatHex(sum.digest());
    }
}
