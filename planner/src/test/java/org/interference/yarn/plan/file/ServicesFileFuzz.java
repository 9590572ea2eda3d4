package org.interference.yarn.plan.file;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.interference.yarn.plan.PlanException;

/** Whatever a file of services, machines or a plan holds, it is read, or refused in one line. */
public final class ServicesFileFuzz {
    private static final List<Reader> READERS =
            List.of(ServicesFile::read, ServicesFile::readMachines, ServicesFile::readPlan);

    private ServicesFileFuzz() {}

    private interface Reader {
        Object read(String json);
    }

    public static void fuzzerTestOneInput(byte[] bytes) {
        String json = new String(bytes, StandardCharsets.UTF_8);
        for (Reader reader : READERS) {
            try {
                reader.read(json);
            } catch (PlanException e) {
                if (e.getMessage().contains("\n")) {
                    throw new AssertionError("more than one line", e);
                }
            }
        }
    }
}
