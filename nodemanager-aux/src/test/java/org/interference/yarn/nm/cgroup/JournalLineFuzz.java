package org.interference.yarn.nm.cgroup;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Whatever a line of node control's journal holds, with a right checksum or a wrong one, it is what was written or is left out. */
public final class JournalLineFuzz {
    private JournalLineFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        String body = new String(bytes, StandardCharsets.UTF_8);
        JournalLine.read(body);
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        JournalLine.read(String.format("%08x", crc.getValue()) + " " + body);
    }
}
