package dev.penstock.data;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tensors of every batch of a view, in order. Immutable.
 *
 * @param tensors the tensors; names are unique
 */
public record BatchSpec(List<TensorSpec> tensors) {

    public BatchSpec {
        tensors = List.copyOf(tensors);
        Set<String> names = new HashSet<>();
        for (TensorSpec tensor : tensors) {
            if (!names.add(tensor.name())) {
                throw new IllegalArgumentException("two tensors of the view are called '" + tensor.name() + "'");
            }
        }
    }

    /** The position of the tensor called {@code name}, or -1. */
    public int indexOf(String name) {
        for (int i = 0; i < tensors.size(); i++) {
            if (tensors.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The number of tensors. */
    public int size() {
        return tensors.size();
    }

    /** Bytes of the dense tensors of one sample; ragged ones come on top. */
    public long denseBytesPerSample() {
        return tensors.stream()
                .filter(TensorSpec::isDense)
                .mapToLong(TensorSpec::bytes)
                .sum();
    }
}
