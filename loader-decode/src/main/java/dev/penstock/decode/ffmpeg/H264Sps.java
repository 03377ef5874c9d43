package dev.penstock.decode.ffmpeg;

/** Reads an H.264 sequence parameter set (ITU-T H.264 7.3.2.1.1) as far as frame_mbs_only_flag. */
final class H264Sps {
    private final byte[] bits;
    private int at;

    private H264Sps(byte[] rbsp) {
        bits = rbsp;
    }

    /** Whether the stream may hold fields or macroblock-adaptive frames; {@code nal} starts at the NAL header. */
    static boolean mayBeInterlaced(byte[] nal) {
        try {
            return new H264Sps(withoutEmulation(nal)).frameMbsOnly() == 0;
        } catch (ArrayIndexOutOfBoundsException | ArithmeticException e) {
            return true; // unreadable: let decoding decide
        }
    }

    private static byte[] withoutEmulation(byte[] nal) {
        byte[] out = new byte[nal.length];
        int n = 0;
        int zeros = 0;
        for (byte b : nal) {
            if (zeros >= 2 && b == 3) {
                zeros = 0;
                continue;
            }
            zeros = b == 0 ? zeros + 1 : 0;
            out[n++] = b;
        }
        return java.util.Arrays.copyOf(out, n);
    }

    private int frameMbsOnly() {
        at = 8;
        int profile = read(8);
        read(16);
        ue();
        if (isHigh(profile)) {
            chroma();
        }
        ue();
        int orderType = ue();
        if (orderType == 0) {
            ue();
        } else if (orderType == 1) {
            read(1);
            ue();
            ue();
            for (int i = ue(); i > 0; i--) {
                ue();
            }
        }
        ue();
        read(1);
        ue();
        ue();
        return read(1);
    }

    private static boolean isHigh(int profile) {
        return switch (profile) {
            case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135 -> true;
            default -> false;
        };
    }

    private void chroma() {
        int format = ue();
        if (format == 3) {
            read(1);
        }
        ue();
        ue();
        read(1);
        if (read(1) == 1) {
            for (int list = 0; list < (format == 3 ? 12 : 8); list++) {
                if (read(1) == 1) {
                    skipScalingList(list < 6 ? 16 : 64);
                }
            }
        }
    }

    private void skipScalingList(int size) {
        int last = 8;
        int next = 8;
        for (int i = 0; i < size; i++) {
            if (next != 0) {
                int code = ue();
                int delta = (code & 1) == 0 ? -(code >> 1) : (code + 1) >> 1;
                next = (last + delta + 256) & 255;
            }
            last = next == 0 ? last : next;
        }
    }

    private int read(int count) {
        int value = 0;
        for (int i = 0; i < count; i++, at++) {
            value = (value << 1) | ((bits[at >> 3] >> (7 - (at & 7))) & 1);
        }
        return value;
    }

    /** An unsigned exponential-Golomb number. */
    private int ue() {
        int zeros = 0;
        while (read(1) == 0) {
            if (++zeros > 31) {
                throw new ArithmeticException("number too long");
            }
        }
        return (int) ((1L << zeros) - 1 + (zeros == 0 ? 0 : read(zeros)));
    }
}
