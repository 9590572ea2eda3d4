package org.interference.yarn.nm.cgroup;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * One line of the journal: {@code CHECKSUM BOOT KIND PATH PART TEXT}, all but the checksum and the kind percent-encoded. The kind {@code UNDONE} says that what
 * stands before it of the same path and part holds no more.
 *
 * @param boot the kernel's name for the time between two of its starts, in which the line was written; empty if it was written by the
 *     first release, which noted none
 */
record JournalLine(Optional<String> boot, Kind kind, Undo undo) {
    /** What a line says. */
    enum Kind {
        MADE,
        CHANGED,
        UNDONE
    }

    private static final int FIELDS = 6;
    private static final int FIELDS_WITHOUT_BOOT = 5;

    static String write(String boot, Undo undo) {
        return undo instanceof Undo.Made made
                ? line(boot, Kind.MADE, undo, made.origin().toString())
                : line(boot, Kind.CHANGED, undo, ((Undo.Changed) undo).before());
    }

    static String writeUndone(String boot, Undo undo) {
        return line(boot, Kind.UNDONE, undo, "");
    }

    private static String line(String boot, Kind kind, Undo undo, String text) {
        String body = String.join(
                " ", encoded(boot), kind.name(), encoded(undo.path().toString()), encoded(undo.part()), encoded(text));
        return checksum(body) + " " + body + "\n";
    }

    /** Reads one line without its end; empty if it is torn, damaged, or of another format. */
    static Optional<JournalLine> read(String line) {
        String[] fields = line.split(" ", -1);
        if ((fields.length != FIELDS && fields.length != FIELDS_WITHOUT_BOOT)
                || !fields[0].equals(checksum(line.substring(line.indexOf(' ') + 1)))) {
            return Optional.empty();
        }
        try {
            Optional<String> boot = fields.length == FIELDS ? Optional.of(decoded(fields[1])) : Optional.empty();
            int at = fields.length - FIELDS_WITHOUT_BOOT + 1;
            Kind kind = Kind.valueOf(fields[at]);
            Path path = Path.of(decoded(fields[at + 1]));
            String text = decoded(fields[at + 3]);
            Undo undo = kind == Kind.MADE
                    ? new Undo.Made(path, Path.of(text))
                    : new Undo.Changed(path, decoded(fields[at + 2]), text);
            return Optional.of(new JournalLine(boot, kind, undo));
        } catch (IllegalArgumentException e) {
            // No kind, not percent-encoded, or no path.
            return Optional.empty();
        }
    }

    /**
     * Whether it is to be undone in this boot. A line that names none is taken to be of it: a NodeManager that is upgraded without a
     * reboot reads such lines, and after a reboot there are no groups of these containers any more. The controllers that the first release
     * noted stay enabled, because others may have come to need them.
     */
    boolean isOf(String now) {
        return boot.map(now::equals).orElse(!undo.path().endsWith("cgroup.subtree_control"));
    }

    private static String checksum(String body) {
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
