package dev.penstock.testkit;

import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** A fingerprint of all that a batch holds, so that tests can compare sequences of batches. */
public final class Digests {
    private Digests() {}

    public static String of(Batch batch) {
        try {
            MessageDigest sum = MessageDigest.getInstance("SHA-256");
            for (Tensor tensor : batch.tensors()) {
                sum.update((tensor.spec() + Arrays.toString(tensor.shape())).getBytes(StandardCharsets.UTF_8));
                sum.update(tensor.data());
                if (!tensor.spec().isDense()) {
                    ByteBuffer offsets = tensor.offsets();
                    sum.update(offsets);
                }
            }
            return HexFormat.of().formatHex(sum.digest()).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Number and fingerprint of each batch. */
    public static List<String> inOrder(Iterable<Batch> batches) {
        List<String> digests = new ArrayList<>();
        for (Batch batch : batches) {
            digests.add(batch.number() + " " + of(batch));
        }
        return digests;
    }
}
