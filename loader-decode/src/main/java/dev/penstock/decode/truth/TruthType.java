package dev.penstock.decode.truth;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.penstock.data.ElementType;
import java.util.Locale;

/** What the values of a truth field are. */
public enum TruthType {
    /** {@code true} or {@code false}. */
    @JsonProperty("bool")
    BOOL,
    /** Whole numbers of 64 bits. */
    @JsonProperty("int64")
    INT64,
    /** Numbers; whole ones among them are taken too. */
    @JsonProperty("float64")
    FLOAT64,
    /** Strings. */
    @JsonProperty("text")
    TEXT,
    /** Only nulls or empty lists were seen. */
    @JsonProperty("unknown")
    UNKNOWN,
    /** Values that no column can hold together: two types, or lists of different depth. */
    @JsonProperty("mixed")
    MIXED;

    /** Whether numbers of this type can fill a column of {@code type} without losing their kind. */
    public boolean fits(ElementType type) {
        return switch (this) {
            case BOOL, INT64 -> true;
            case FLOAT64 -> type == ElementType.FLOAT32 || type == ElementType.FLOAT64;
            case UNKNOWN -> true;
            case TEXT, MIXED -> false;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
