package org.interference.yarn.sim.workload.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Whatever a job trace holds, it is read or refused with a sentence. The first byte says of which format it is to be. */
public final class JobTraceFuzz {
    private JobTraceFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return;
        }
        ByteArrayInputStream in = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
        try {
            switch (bytes[0]) {
                case 's' -> SwimReader.read(in, "file");
                case 'l' -> SlsReader.read(in, "file");
                case 'r' -> RumenReader.read(in, "file");
                default -> JhistReader.read(in, "file");
            }
        } catch (TraceException e) {
            // Refused.
        }
    }
}
