package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.interference.yarn.profile.store.ProfileDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyTest {
    private static final int MOST = 1000;
    private static final int UNKNOWN = -1;

    private final Endless endless = new Endless();

    @Test
    void nothingIsReadBeforeSomebodyAsks() {
        new Body(request("application/json", UNKNOWN, endless));

        assertThat(endless.read).isZero();
    }

    @Test
    void bodyThatSaysItselfThatItIsTooLargeIsNotRead() {
        Body body = new Body(request("application/json", MOST + 1, endless));

        refused(() -> body.bytes(MOST), 413);
        refused(() -> body.stream(MOST), 413);
        assertThat(endless.read).isZero();
    }

    @Test
    void bodyOfAnotherTypeIsNotRead() {
        for (String type :
                new String[] {null, "", "text/plain", "application/jsonp", "application/x-www-form-urlencoded"}) {
            Body body = new Body(request(type, 1, endless));

            refused(() -> body.bytes(MOST), 415);
        }
        assertThat(endless.read).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 4096})
    void bodyThatDoesNotSayHowLongItIsIsCutWhereItIsTooMuch(int atATime) throws IOException {
        Body body = new Body(request("application/json; charset=utf-8", UNKNOWN, endless));

        try (InputStream in = body.stream(MOST)) {
            byte[] some = new byte[atATime];
            refused(
                    () -> {
                        int more;
                        do {
                            more = in.read(some);
                        } while (more > 0);
                    },
                    413);
        }
        assertThat(endless.read).isBetween((long) MOST + 1, (long) MOST + atATime);
    }

    @Test
    void bodyThatIsAsLargeAsItMayBeIsRead() {
        InputStream in = InputStream.nullInputStream();

        assertThat(new Body(request("application/json", MOST, in)).bytes(MOST)).isEmpty();
    }

    @Test
    void profilesMayBeAsLargeAsAnExportOfAsManyCanBe() throws IOException {
        byte[] document = "{\"schema\":2,\"profiles\":[]}".getBytes(StandardCharsets.UTF_8);
        long most = ProfileDocument.mostBytes(100_000);

        assertThat(most).as("a hundred thousand usual ones").isGreaterThan(170_000_000);
        assertThat(new Body(request("application/json", most, new ByteArrayInputStream(document))).profiles(100_000))
                .isEmpty();
        refused(() -> new Body(request("application/json", most + 1, endless)).profiles(100_000), 413);
        assertThat(endless.read).isZero();
    }

    @Test
    void bodyThatBreaksOffIsTheFaultOfWhoSentIt() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };

        refused(() -> new Body(request("application/json", UNKNOWN, broken)).bytes(MOST), 400);
    }

    private static void refused(ThrowingCallable reading, int status) {
        assertThatThrownBy(reading).isInstanceOfSatisfying(RequestException.class, e -> assertThat(e.status())
                .isEqualTo(status));
    }

    private static HttpServletRequest request(String type, long length, InputStream in) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                BodyTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getContentType" -> type;
                    case "getContentLengthLong" -> length;
                    case "getInputStream" -> new Sent(in);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** What a servlet reads. */
    private static final class Sent extends ServletInputStream {
        private final InputStream in;

        Sent(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return in.read(bytes, offset, length);
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    /** Counts what is read of it. */
    private static final class Endless extends InputStream {
        private static final int MUCH = 1 << 20;
        private long read;

        @Override
        public int read() {
            if (++read > MUCH) {
                throw new IllegalStateException("nobody has stopped");
            }
            return '[';
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            for (int i = 0; i < length; i++) {
                bytes[offset + i] = (byte) read();
            }
            return length;
        }
    }
}
