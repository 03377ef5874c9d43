package dev.penstock;

import dev.penstock.spi.Blob;
import dev.penstock.spi.DecodeWork;

/** A piece of decoding of one source of a mix, and which source that is. */
record MixWork(int source, DecodeWork work) implements DecodeWork {

    @Override
    public int rows() {
        return work.rows();
    }

    @Override
    public int row(int i) {
        return work.row(i);
    }

    @Override
    public String camera() {
        return work.camera();
    }

    @Override
    public String describe() {
        return work.describe();
    }

    @Override
    public int ranges() {
        return work.ranges();
    }

    @Override
    public Blob blob(int i) {
        return work.blob(i);
    }

    @Override
    public long offset(int i) {
        return work.offset(i);
    }

    @Override
    public int length(int i) {
        return work.length(i);
    }

    @Override
    public long neededLength() {
        return work.neededLength();
    }
}
