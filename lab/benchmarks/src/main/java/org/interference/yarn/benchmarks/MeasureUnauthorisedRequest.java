package org.interference.yarn.benchmarks;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ReadListener;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.InterferenceAwareScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what a change with a body of 16 MiB costs a ResourceManager if whoever sends it may not change anything: the bytes that the
 * thread that answers allocates, through a real connection, less what it allocates for the index of the same REST, which takes part in
 * nothing but YARN's web framework. Writes the largest of all paths as JSON to standard output, and fails if a byte of a body was read.
 */
public final class MeasureUnauthorisedRequest {
    private static final Logger LOG = LoggerFactory.getLogger(MeasureUnauthorisedRequest.class);
    private static final List<String> CHANGES =
            List.of("PUT /mode", "PUT /config", "POST /model/rollback", "POST /model/retrain", "POST /profiles/import");
    private static final int BODY = 16 << 20;
    /** Classes are loaded and code is compiled by then. */
    private static final int WARM_UP = 200;

    private static final int MEASURED = 50;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    private MeasureUnauthorisedRequest() {}

    public static void main(String[] args) {
        int status = 1;
        try {
            System.out.printf("{\"unauthorised_request_heap_bytes\": %d}%n", measure());
            status = 0;
        } catch (Throwable e) {
            LOG.error("nothing was measured", e);
        }
        // main-program:off: Hadoop's daemons leave threads behind.
        System.exit(status);
        // main-program:on
    }

    @SuppressWarnings("try") // It is there to answer.
    private static long measure() throws Exception {
        String address = "localhost:" + FreePort.find();
        Map<String, String> settings = Map.of(
                YarnConfiguration.RM_WEBAPP_ADDRESS,
                address,
                YarnConfiguration.YARN_ADMIN_ACL,
                "admin",
                "hadoop.http.staticuser.user",
                "stranger",
                "hadoop.http.filter.initializers",
                StaticUserWebFilter.class.getName() + "," + Meter.Initializer.class.getName());
        try (TestedResourceManager resourceManager =
                new TestedResourceManager(InterferenceAwareScheduler.class.getName(), settings)) {
            long most = 0;
            long framework = Long.MAX_VALUE;
            for (int i = 0; i < WARM_UP + MEASURED; i++) {
                long index = send(address, "GET /", OK);
                long largest = 0;
                for (String change : CHANGES) {
                    largest = Math.max(largest, send(address, change, FORBIDDEN));
                }
                if (i >= WARM_UP) {
                    most = Math.max(most, largest);
                    framework = Math.min(framework, index);
                }
            }
            LOG.info("{} bytes, of which {} are the web framework's", most, framework);
            return most - framework;
        }
    }

    /** Sends a request with a body that does not end, and returns how many bytes were allocated to answer it. */
    private static long send(String address, String request, int status) throws IOException, InterruptedException {
        String[] words = request.split(" ", 2);
        URI host = URI.create("http://" + address);
        try (Socket socket = new Socket(host.getHost(), host.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    "%s /ws/v1/interference%s HTTP/1.1\r\nHost: x\r\nX-XSRF-Header: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                            .formatted(words[0], words[1], BODY)
                            .getBytes(StandardCharsets.UTF_8));
            out.write(("[" + "[],".repeat(10_000)).getBytes(StandardCharsets.UTF_8));
            out.flush();
            Meter.Reading reading = Optional.ofNullable(Meter.READINGS.poll(1, TimeUnit.MINUTES))
                    .orElseThrow();
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = answer.readLine();
            if (!line.contains(" " + status + " ")) {
                throw new IllegalStateException("%s was answered %s".formatted(request, line));
            }
            if (reading.bodyBytes() > 0) {
                throw new IllegalStateException(
                        "%d bytes of the body of %s were read".formatted(reading.bodyBytes(), request));
            }
            return reading.allocated();
        }
    }

    /** Measures what answering takes. */
    public static final class Meter implements Filter {
        private static final SynchronousQueue<Reading> READINGS = new SynchronousQueue<>();
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /**
         * What one request took.
         *
         * @param bodyBytes that were read of its body
         */
        record Reading(long allocated, long bodyBytes) {}

        /** Puts it behind the filters that say who asks. */
        public static final class Initializer extends FilterInitializer {
            @Override
            public void initFilter(FilterContainer container, Configuration conf) {
                container.addFilter("meter", Meter.class.getName(), Map.of());
            }
        }

        @Override
        public void init(FilterConfig config) {
            // Nothing to set.
        }

        @Override
        public void destroy() {
            // Nothing is open.
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            Counted counted = new Counted((HttpServletRequest) request);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            chain.doFilter(counted, response);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            try {
                READINGS.offer(new Reading(allocated, counted.read), 1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Counts what is read of a body. */
    private static final class Counted extends HttpServletRequestWrapper {
        private long read;

        Counted(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            ServletInputStream in = super.getInputStream();
            return new ServletInputStream() {
                @Override
                public int read() throws IOException {
                    int value = in.read();
                    read += value < 0 ? 0 : 1;
                    return value;
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int more = in.read(into, offset, length);
                    read += Math.max(0, more);
                    return more;
                }

                @Override
                public boolean isFinished() {
                    return in.isFinished();
                }

                @Override
                public boolean isReady() {
                    return in.isReady();
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    in.setReadListener(listener);
                }
            };
        }
    }
}
