package org.interference.yarn.testbed;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Takes in what the hosts send: a line with a number, and as many bytes. When it has the last one it says the number too. Thread-safe.
 */
final class Receiver implements AutoCloseable {
    private static final int BUFFER = 1 << 18;
    private static final int LONGEST_NUMBER = 18;

    private final ServerSocket server;

    private Receiver(ServerSocket server) {
        this.server = server;
    }

    /** Listens on a port of {@code address} that is free. */
    static Receiver on(InetAddress address) throws IOException {
        Receiver receiver = new Receiver(new ServerSocket());
        receiver.server.bind(new InetSocketAddress(address, 0), 0);
        start(receiver::accept);
        return receiver;
    }

    String address() {
        return server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket sender = server.accept();
                start(() -> drain(sender));
            } catch (IOException e) {
                // Closed; or a sender that left again, which it will say itself.
            }
        }
    }

    private static void drain(Socket sender) {
        try (sender;
                InputStream in = new BufferedInputStream(sender.getInputStream(), BUFFER)) {
            String announced = line(in);
            in.skipNBytes(Long.parseLong(announced));
            sender.getOutputStream().write((announced + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | NumberFormatException e) {
            // The sender finds that its answer is missing, and its container fails.
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() == LONGEST_NUMBER) {
                throw new IOException("no number to begin with");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "receiver");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
