package org.interference.yarn.nm.attribute;

/** Numbers in a line of fields with one blank between each, read without making an object: a tick reads thousands of lines. */
public final class Fields {
    /** What stands for a field that is not there, or no number. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int RADIX = 10;
    private static final long MOST = Long.MAX_VALUE / RADIX - 1;

    private Fields() {}

    /** Returns the {@code field}-th number, from 0, of {@code text} from the place {@code from} on; {@link #NONE} if there is none. */
    public static long number(String text, int from, int field) {
        int place = from;
        for (int skipped = 0; skipped < field; skipped++) {
            place = text.indexOf(' ', place) + 1;
            if (place == 0) {
                return NONE;
            }
        }
        boolean negative = place < text.length() && text.charAt(place) == '-';
        place += negative ? 1 : 0;
        int first = place;
        long number = 0;
        while (place < text.length() && isDigit(text.charAt(place))) {
            if (number > MOST) {
                return NONE;
            }
            number = RADIX * number + (text.charAt(place) - '0');
            place++;
        }
        boolean ends = place >= text.length() || text.charAt(place) == ' ' || text.charAt(place) == '\n';
        return place == first || !ends ? NONE : negative ? -number : number;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
