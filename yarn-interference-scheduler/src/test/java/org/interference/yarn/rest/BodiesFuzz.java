package org.interference.yarn.rest;

import java.util.List;
import java.util.Map;
import javax.ws.rs.core.Response;

/** Whatever body a change has, it says what is wanted, or is refused as the sender's fault, in one line that is short. */
public final class BodiesFuzz {
    private static final int LONGEST = 200;
    private static final List<Reader> READERS = List.of(BodiesFuzz::mode, BodiesFuzz::settings, BodiesFuzz::version);

    private BodiesFuzz() {}

    private interface Reader {
        boolean isWhole(byte[] body);
    }

    public static void fuzzerTestOneInput(byte[] bytes) {
        for (Reader reader : READERS) {
            try {
                if (!reader.isWhole(bytes)) {
                    throw new AssertionError("less was read than a change needs");
                }
            } catch (RequestException e) {
                if (e.status() != Response.Status.BAD_REQUEST.getStatusCode() || !isShortLine(e.getMessage())) {
                    throw new AssertionError("not the sender's fault in one short line", e);
                }
            }
        }
    }

    private static boolean mode(byte[] body) {
        Bodies.NewMode wanted = Bodies.mode(body);
        return wanted.mode() != null && wanted.queue() != null;
    }

    private static boolean settings(byte[] body) {
        Map<String, String> wanted = Bodies.settings(body);
        return wanted.entrySet().stream().allMatch(each -> each.getKey() != null && each.getValue() != null);
    }

    private static boolean version(byte[] body) {
        return Bodies.version(body) >= 1;
    }

    /** A character that is half of a pair would not be one when it is sent. */
    private static boolean isShortLine(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.codePoints().noneMatch(each -> switch (Character.getType(each)) {
                    case Character.CONTROL,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.SURROGATE -> true;
                    default -> false;
                });
    }
}
