package org.interference.yarn.rest;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What stands for names that somebody may not see. By a secret of this process, so that nobody can try names and see which one it is.
 */
final class Pseudonyms {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SECRET_BYTES = 32;
    private static final int SHOWN_BYTES = 8;
    private static final SecretKeySpec SECRET = new SecretKeySpec(random(), ALGORITHM);

    private Pseudonyms() {}

    static String of(String name) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(SECRET);
            byte[] code = mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
            return "kind-" + HexFormat.of().formatHex(code, 0, SHOWN_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    private static byte[] random() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
