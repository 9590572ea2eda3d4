package org.interference.yarn.cli.rm;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks the plugin in the active ResourceManager, which it finds among those there are. What changes something is sent once, to one
 * that has just answered as the active one. Not thread-safe.
 */
public final class RmClient {
    private static final int MOST_REDIRECTS = 3;
    private static final Question ARE_YOU_THERE = Question.get("health");

    private final List<URI> rms;
    private final HadoopHttp http;
    private final Duration timeout;
    private final Consumer<String> journal;
    private Optional<URI> active = Optional.empty();

    private RmClient(List<URI> rms, HadoopHttp http, Duration timeout, Consumer<String> journal) {
        this.rms = rms;
        this.http = http;
        this.timeout = timeout;
        this.journal = journal;
    }

    /**
     * Asks those at {@code addresses}, or, if there are none, those of Hadoop's configuration.
     *
     * @param environment the variables of the process
     * @param journal is told who answered
     */
    public static RmClient of(
            List<String> addresses,
            String user,
            Duration timeout,
            UnaryOperator<String> environment,
            Consumer<String> journal)
            throws RmException {
        HadoopConfiguration configuration = new HadoopConfiguration(environment);
        List<URI> rms = new ArrayList<>();
        for (String address : addresses) {
            rms.add(parsed(address));
        }
        return new RmClient(
                rms.isEmpty() ? configuration.rms() : rms,
                new HadoopHttp(configuration, user, timeout),
                timeout,
                journal);
    }

    private static URI parsed(String address) throws RmException {
        String text = (address.contains("://") ? address : "http://" + address).replaceFirst("/+$", "");
        try {
            URI rm = URI.create(text);
            if (rm.getAuthority() != null && List.of("http", "https").contains(rm.getScheme())) {
                return rm;
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw RmException.badQuestion(
                "--rm is '%s' but must be a web address such as http://rm.example.com:8088".formatted(address));
    }

    /** Returns the object that is answered. */
    public JsonNode ask(Question question) throws RmException {
        if (question.changesSomething() && active.isEmpty()) {
            ask(ARE_YOU_THERE);
        }
        List<Silence> silences = new ArrayList<>();
        for (URI rm : active.map(List::of).orElse(rms)) {
            Optional<Reply> reply = ask(rm, question, silences);
            if (reply.isPresent()) {
                return Refusal.orAnswer(active.orElseThrow(), reply.get());
            }
        }
        RmException why = Silence.sentence(silences);
        throw question.changesSomething() && silences.stream().anyMatch(Silence::isTooLateToTell)
                ? RmException.failed("Whether it was done is not known: " + why.getMessage())
                : why;
    }

    /** Returns the reply of {@code first}, or of whom it redirects to; empty, with the reason in {@code silences}, if none. */
    private Optional<Reply> ask(URI first, Question question, List<Silence> silences) throws RmException {
        URI rm = first;
        for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
            Reply reply;
            try {
                reply = http.send(rm, question);
            } catch (IOException e) {
                silences.add(Silence.of(rm, e, timeout));
                journal.accept(silences.get(silences.size() - 1).clause());
                return Optional.empty();
            } catch (AuthenticationException e) {
                throw Refusal.noTicket(rm, e);
            }
            if (reply.isStandbyAlone()) {
                silences.add(Silence.standby(rm));
                journal.accept(silences.get(silences.size() - 1).clause());
                return Optional.empty();
            }
            Optional<URI> next = reply.isRedirect() ? reply.activeRm() : Optional.empty();
            if (next.isEmpty()) {
                journal.accept("%s answers (%d)".formatted(rm, reply.status()));
                active = Optional.of(rm);
                return Optional.of(reply);
            }
            journal.accept("%s is standby and redirects to %s".formatted(rm, next.get()));
            rm = next.get();
        }
        silences.add(Silence.circle(first));
        return Optional.empty();
    }
}
