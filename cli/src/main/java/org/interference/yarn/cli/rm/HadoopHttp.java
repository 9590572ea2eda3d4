package org.interference.yarn.cli.rm;

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.apache.hadoop.security.authentication.client.PseudoAuthenticator;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Requests as Hadoop's own clients make them: with a Kerberos ticket where the server asks for one, with the user's bare name
 * where it does not, and over TLS as ssl-client.xml says. Redirects are left to the caller, because each ResourceManager wants a
 * ticket of its own. Not thread-safe.
 */
final class HadoopHttp {
    /** Every ResourceManager answers it itself, a standby too. */
    private static final String ANY_STATE = "/ws/v1/cluster/info";

    private final HadoopConfiguration configuration;
    private final String user;
    private final Duration timeout;
    private final Map<URI, AuthenticatedURL.Token> tokens = new HashMap<>();
    private Optional<SSLFactory> tls = Optional.empty();

    HadoopHttp(HadoopConfiguration configuration, String user, Duration timeout) {
        this.configuration = configuration;
        this.user = user;
        this.timeout = timeout;
    }

    Reply send(URI rm, Question question) throws IOException, AuthenticationException, RmException {
        Reply reply = sendOnce(rm, question);
        if (!reply.asksForKerberos() || tokens.containsKey(rm)) {
            return reply;
        }
        AuthenticatedURL.Token token = new AuthenticatedURL.Token();
        KerberosAuthenticator kerberos = new KerberosAuthenticator();
        SSLFactory factory = isTls(rm) ? tls() : null;
        kerberos.setConnectionConfigurator(connection -> configured(connection, factory));
        kerberos.authenticate(URI.create(rm + ANY_STATE).toURL(), token);
        tokens.put(rm, token);
        return sendOnce(rm, question);
    }

    private Reply sendOnce(URI rm, Question question) throws IOException, RmException {
        AuthenticatedURL.Token token = tokens.get(rm);
        HttpURLConnection connection = open(rm, token == null ? named(question) : question);
        try {
            if (token != null) {
                AuthenticatedURL.injectToken(connection, token);
            }
            connection.setRequestMethod(question.method());
            connection.setRequestProperty("Accept", "application/json");
            if (question.changesSomething()) {
                connection.setRequestProperty("X-XSRF-Header", "interference");
            }
            if (question.body().isPresent()) {
                connection.setRequestProperty("Content-Type", "application/json; charset=utf-8");
                connection.setDoOutput(true);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(question.body().get().getBytes(StandardCharsets.UTF_8));
                }
            }
            return Reply.of(connection);
        } finally {
            connection.disconnect();
        }
    }

    private Question named(Question question) {
        return question.with(PseudoAuthenticator.USER_NAME, user);
    }

    private HttpURLConnection open(URI rm, Question question) throws IOException, RmException {
        SSLFactory factory = isTls(rm) ? tls() : null;
        URI address = URI.create(rm + question.pathAndQuery());
        return configured((HttpURLConnection) address.toURL().openConnection(), factory);
    }

    private HttpURLConnection configured(HttpURLConnection connection, SSLFactory factory) throws IOException {
        connection.setConnectTimeout(Math.toIntExact(timeout.toMillis()));
        connection.setReadTimeout(Math.toIntExact(timeout.toMillis()));
        connection.setInstanceFollowRedirects(false);
        return factory == null ? connection : factory.configure(connection);
    }

    private static boolean isTls(URI rm) {
        return "https".equalsIgnoreCase(rm.getScheme());
    }

    private SSLFactory tls() throws IOException, RmException {
        if (tls.isEmpty()) {
            SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, configuration.read());
            try {
                factory.init();
            } catch (GeneralSecurityException e) {
                throw RmException.failed("ssl-client.xml cannot be used: " + e.getMessage(), e);
            }
            tls = Optional.of(factory);
        }
        return tls.get();
    }
}
