package org.interference.yarn.cli.rm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** Why a ResourceManager was of no use, so that another one may be asked. Immutable. */
record Silence(Kind kind, String clause) {
    /** In the order in which their remedies are worth a try. */
    enum Kind {
        TLS("the truststore that ssl-client.xml in HADOOP_CONF_DIR names must hold what its certificate is signed by"),
        BROKEN_OFF("is it the ResourceManager's web address, and http:// or https:// as it should be?"),
        NOT_THERE("is the ResourceManager running there? --rm or HADOOP_CONF_DIR says where"),
        LATE("is the ResourceManager running there? --timeout waits longer"),
        STANDBY("yarn rmadmin -getAllServiceState says who could become active");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }
    }

    static Silence of(URI rm, IOException e, Duration timeout) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return new Silence(Kind.TLS, "no TLS with %s (%s)".formatted(rm, cause.getMessage()));
            }
            if (cause instanceof UnknownHostException) {
                return new Silence(Kind.NOT_THERE, "there is no host %s".formatted(rm));
            }
            if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
                return new Silence(Kind.NOT_THERE, "nothing answers at %s".formatted(rm));
            }
            if (cause instanceof SocketTimeoutException) {
                return new Silence(Kind.LATE, "%s does not answer in %d s".formatted(rm, timeout.toSeconds()));
            }
        }
        return new Silence(Kind.BROKEN_OFF, "%s broke off (%s)".formatted(rm, e.getMessage()));
    }

    static Silence standby(URI rm) {
        return new Silence(Kind.STANDBY, "%s is standby and knows of no active ResourceManager".formatted(rm));
    }

    static Silence circle(URI rm) {
        return new Silence(Kind.STANDBY, "%s is standby, and who it says is active is not".formatted(rm));
    }

    /** Returns whether the request may have arrived nevertheless. */
    boolean isTooLateToTell() {
        return kind == Kind.LATE || kind == Kind.BROKEN_OFF;
    }

    static RmException sentence(Collection<Silence> all) {
        Silence first = all.stream().min(Comparator.comparing(Silence::kind)).orElseThrow();
        String clauses = all.stream().map(Silence::clause).distinct().collect(Collectors.joining("; "));
        String begun = clauses.startsWith("http")
                ? clauses
                : clauses.substring(0, 1).toUpperCase(Locale.ROOT) + clauses.substring(1);
        return RmException.failed(begun + ": " + first.kind.remedy);
    }
}
