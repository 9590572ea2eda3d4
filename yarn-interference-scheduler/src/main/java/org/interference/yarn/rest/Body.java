package org.interference.yarn.rest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.ProfileDocument;

/** The body of one request. Nothing of it is read before somebody asks, and never more than that one allows. Not thread-safe. */
final class Body {
    /** Of a change that names one thing. */
    static final int SMALL = 16 << 10;

    private final HttpServletRequest request;

    Body(HttpServletRequest request) {
        this.request = request;
    }

    /**
     * Returns the whole body.
     *
     * @param most in bytes
     * @throws RequestException if it is larger or no JSON by its type, before anything is read where the request says so itself
     */
    byte[] bytes(int most) {
        try (InputStream limited = stream(most)) {
            return limited.readAllBytes();
        } catch (IOException e) {
            throw RequestException.bad("the body did not come to its end");
        }
    }

    /**
     * Returns profiles to bring in, which are read one by one; their body may be as large as an export of as many.
     *
     * @param most profiles
     * @throws IOException if it is no document of profiles, or has more
     * @throws RequestException as {@link #bytes}
     */
    List<TaskProfile> profiles(int most) throws IOException {
        try (InputStream document = stream(ProfileDocument.mostBytes(most))) {
            return ProfileDocument.read(document, most);
        }
    }

    /** As {@link #bytes}, to be read piece by piece: the piece that is too much throws. */
    InputStream stream(long most) throws IOException {
        String type = String.valueOf(request.getContentType());
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_JSON)) {
            // YARN would make an error of the server of that.
            throw new RequestException(
                    Response.Status.UNSUPPORTED_MEDIA_TYPE,
                    "the body must be %s".formatted(MediaType.APPLICATION_JSON));
        }
        if (request.getContentLengthLong() > most) {
            throw tooLarge(most);
        }
        return new Limited(request.getInputStream(), most);
    }

    private static RequestException tooLarge(long most) {
        return new RequestException(
                HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
                "the body is larger than %d KiB".formatted(most >> 10));
    }

    /** Ends with an error where the limit is exceeded, also of a body that did not say how long it is. */
    private static final class Limited extends FilterInputStream {
        private final long most;
        private long read;

        Limited(InputStream in, long most) {
            super(in);
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            count(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int more = super.read(into, offset, length);
            count(Math.max(0, more));
            return more;
        }

        @Override
        public long skip(long wanted) throws IOException {
            long skipped = super.skip(wanted);
            count(skipped);
            return skipped;
        }

        private void count(long more) {
            read += more;
            if (read > most) {
                throw tooLarge(most);
            }
        }
    }
}
