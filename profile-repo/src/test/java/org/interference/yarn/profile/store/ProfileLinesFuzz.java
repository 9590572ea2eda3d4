package org.interference.yarn.profile.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Whatever lines a file of the profile store holds, their checksums right: each is a change or is left out. */
public final class ProfileLinesFuzz {
    private ProfileLinesFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
        Lines.read(new ByteArrayInputStream(bytes), change -> {});
        Lines.read(new ByteArrayInputStream(checked(bytes)), change -> {});
    }

    private static byte[] checked(byte[] lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String line : new String(lines, StandardCharsets.UTF_8).split("\n", -1)) {
            byte[] json = line.getBytes(StandardCharsets.UTF_8);
            CRC32C crc = new CRC32C();
            crc.update(json, 0, json.length);
            out.writeBytes(String.format("%08x ", crc.getValue()).getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(json);
            out.write('\n');
        }
        return out.toByteArray();
    }
}
