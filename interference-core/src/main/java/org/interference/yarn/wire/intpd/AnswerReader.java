package org.interference.yarn.wire.intpd;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.interference.yarn.signal.Signal;

/** Reads one answer, once: members come in any order, so they are gathered first and put together at the end. */
final class AnswerReader {
    private static final int HIGHEST_PORT = 0xffff;

    private final JsonParser json;
    private OptionalLong version = OptionalLong.empty();
    private OptionalLong id = OptionalLong.empty();
    private OptionalLong startNanos = OptionalLong.empty();
    private Optional<Boolean> ok = Optional.empty();
    private Optional<String> daemon = Optional.empty();
    private Optional<String> release = Optional.empty();
    private Optional<IntpdAnswer.Refused> error = Optional.empty();
    private Optional<List<String>> watched = Optional.empty();
    private Optional<Map<String, IntpdAnswer.Refused>> refused = Optional.empty();
    private Optional<Map<String, Map<Signal, IntpdCount>>> containers = Optional.empty();
    private final Map<String, List<IntpdTaker>> takers = new HashMap<>();
    private final Map<String, List<IntpdPeer>> peers = new HashMap<>();
    private final Map<Signal, IntpdAbility> abilities = new EnumMap<>(Signal.class);
    /** What is not said again. */
    private Map<Signal, IntpdAbility> said = Map.of();

    AnswerReader(JsonParser json) {
        this.json = json;
    }

    IntpdReply read(IntpdRequest request) throws IOException {
        said = request instanceof IntpdRequest.Snapshot snapshot ? snapshot.said() : Map.of();
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new IntpdProtocolException("an answer is not an object");
        }
        object("answer", this::member);
        if (json.nextToken() != null) {
            throw new IntpdProtocolException("an answer goes on after its end");
        }
        long spoken = required(version, "v");
        if (spoken != IntpdCodec.VERSION) {
            throw new IntpdProtocolException(
                    "an answer has version %d, this reader knows %d".formatted(spoken, IntpdCodec.VERSION));
        }
        return new IntpdReply(id, required(ok, "ok") ? answer(request) : required(error, "error"));
    }

    private IntpdAnswer answer(IntpdRequest request) throws IntpdProtocolException {
        if (request instanceof IntpdRequest.Hello) {
            return new IntpdAnswer.Hello(
                    required(daemon, "daemon"),
                    required(release, "release"),
                    required(startNanos, "start_ns"),
                    abilities);
        }
        if (request instanceof IntpdRequest.Watch) {
            return new IntpdAnswer.Watched(required(watched, "watched"), required(refused, "refused"));
        }
        if (request instanceof IntpdRequest.Unwatch) {
            return new IntpdAnswer.Unwatched();
        }
        return new IntpdAnswer.Snapshot(
                required(startNanos, "start_ns"), required(containers, "containers"), takers, peers);
    }

    private void member(String name) throws IOException {
        switch (name) {
            case "v" -> version = OptionalLong.of(integer(name));
            case "id" -> id = OptionalLong.of(integer(name));
            case "ok" -> ok = Optional.of(flag(name));
            case "error" -> error = Optional.of(refusal(name).refused());
            case "daemon" -> daemon = Optional.of(text(name));
            case "release" -> release = Optional.of(text(name));
            case "start_ns" -> startNanos = OptionalLong.of(integer(name));
            case "watched" -> watched = Optional.of(watched());
            case "refused" -> refused = Optional.of(refused());
            case "containers" -> containers = Optional.of(containers());
            case "signals" -> abilities();
            default -> json.skipChildren();
        }
    }

    private List<String> watched() throws IOException {
        List<String> ids = new ArrayList<>();
        array("watched", () -> ids.add(required(refusal("watched").container(), "container")));
        return ids;
    }

    private Map<String, IntpdAnswer.Refused> refused() throws IOException {
        Map<String, IntpdAnswer.Refused> refusals = new HashMap<>();
        array("refused", () -> {
            Refusal refusal = refusal("refused");
            refusals.put(required(refusal.container(), "container"), refusal.refused());
        });
        return refusals;
    }

    private Refusal refusal(String what) throws IOException {
        Map<String, String> texts = new HashMap<>();
        object(what, name -> {
            switch (name) {
                case "container", "code", "message" -> texts.put(name, text(name));
                default -> json.skipChildren();
            }
        });
        return new Refusal(texts);
    }

    private Map<String, Map<Signal, IntpdCount>> containers() throws IOException {
        Map<String, Map<Signal, IntpdCount>> counts = new LinkedHashMap<>();
        array("containers", () -> {
            Container container = new Container();
            object("containers", name -> {
                switch (name) {
                    case "container" -> container.id = Optional.of(text(name));
                    case "signals" -> container.signals = Optional.of(signals());
                    case "preempted_by" -> container.takers = Optional.of(takers(name));
                    case "peers" -> container.peers = Optional.of(peers(name));
                    default -> json.skipChildren();
                }
            });
            counts.put(required(container.id, "container"), required(container.signals, "signals"));
            container.takers.ifPresent(known -> takers.put(container.id.orElseThrow(), known));
            container.peers.ifPresent(known -> peers.put(container.id.orElseThrow(), known));
        });
        return counts;
    }

    private List<IntpdTaker> takers(String what) throws IOException {
        List<IntpdTaker> known = new ArrayList<>();
        array(what, () -> {
            Container taker = new Container();
            object(what, name -> {
                switch (name) {
                    case "container" -> taker.id = Optional.of(text(name));
                    case "times" -> taker.times = OptionalDouble.of(amount(name));
                    default -> json.skipChildren();
                }
            });
            known.add(new IntpdTaker(taker.id, taker.times.orElseThrow(() -> missing("times"))));
        });
        return List.copyOf(known);
    }

    private List<IntpdPeer> peers(String what) throws IOException {
        List<IntpdPeer> known = new ArrayList<>();
        array(what, () -> {
            Map<String, String> addresses = new HashMap<>();
            Map<String, Double> amounts = new HashMap<>();
            object(what, name -> {
                switch (name) {
                    case "local", "remote" -> addresses.put(name, text(name));
                    case "local_port", "remote_port", "sent", "received" -> amounts.put(name, amount(name));
                    default -> json.skipChildren();
                }
            });
            known.add(new IntpdPeer(
                    required(Optional.ofNullable(addresses.get("local")), "local"),
                    port(amounts.get("local_port"), "local_port"),
                    required(Optional.ofNullable(addresses.get("remote")), "remote"),
                    port(amounts.get("remote_port"), "remote_port"),
                    required(Optional.ofNullable(amounts.get("sent")), "sent"),
                    required(Optional.ofNullable(amounts.get("received")), "received")));
        });
        return List.copyOf(known);
    }

    private static int port(Double amount, String what) throws IntpdProtocolException {
        double port = required(Optional.ofNullable(amount), what);
        expect(port <= HIGHEST_PORT && port == Math.rint(port), what, "a port");
        return (int) port;
    }

    private Map<Signal, IntpdCount> signals() throws IOException {
        Map<Signal, IntpdCount> counts = new EnumMap<>(Signal.class);
        object("signals", name -> {
            Optional<Signal> signal = Signal.ofWireName(name);
            if (signal.isEmpty()) {
                json.skipChildren();
            } else {
                members(Optional.ofNullable(said.get(signal.get())))
                        .count()
                        .ifPresent(count -> counts.put(signal.get(), count));
            }
        });
        said.forEach((signal, ability) -> ability.reason()
                .ifPresent(reason -> counts.putIfAbsent(signal, new IntpdCount.Unavailable(reason, ability.source()))));
        return counts;
    }

    private void abilities() throws IOException {
        object("signals", name -> {
            Optional<Signal> signal = Signal.ofWireName(name);
            if (signal.isEmpty()) {
                json.skipChildren();
            } else {
                SignalMembers members = members(Optional.empty());
                abilities.put(signal.get(), new IntpdAbility(required(members.source, "source"), members.reason));
            }
        });
    }

    /** @param known what is not said again of the signal */
    private SignalMembers members(Optional<IntpdAbility> known) throws IOException {
        SignalMembers members = new SignalMembers();
        if (known.isPresent() && known.get().reason().isEmpty()) {
            members.status = Optional.of("ok");
            members.source = Optional.of(known.get().source());
        }
        object("signals", name -> {
            switch (name) {
                case "status" -> members.status = Optional.of(text(name));
                case "source" -> members.source = Optional.of(text(name));
                case "reason" -> members.reason = Optional.of(text(name));
                case "used" -> members.used = OptionalDouble.of(amount(name));
                case "capacity" -> members.capacity = OptionalDouble.of(amount(name));
                default -> json.skipChildren();
            }
        });
        return members;
    }

    private interface Member {
        /** Reads the value that the parser stands on, and stays on its last token. */
        void read(String name) throws IOException;
    }

    private interface Element {
        /** Reads the value that the parser stands on, and stays on its last token. */
        void read() throws IOException;
    }

    private void object(String what, Member member) throws IOException {
        expect(json.currentToken() == JsonToken.START_OBJECT, what, "an object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            member.read(name);
        }
    }

    private void array(String what, Element element) throws IOException {
        expect(json.currentToken() == JsonToken.START_ARRAY, what, "an array");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    private String text(String what) throws IOException {
        expect(json.currentToken() == JsonToken.VALUE_STRING, what, "a string");
        return json.getText();
    }

    private boolean flag(String what) throws IOException {
        expect(json.currentToken().isBoolean(), what, "true or false");
        return json.getBooleanValue();
    }

    private long integer(String what) throws IOException {
        expect(json.currentToken() == JsonToken.VALUE_NUMBER_INT, what, "an integer");
        return json.getLongValue();
    }

    private double amount(String what) throws IOException {
        expect(json.currentToken().isNumeric(), what, "a number");
        double amount = json.getDoubleValue();
        expect(Double.isFinite(amount) && amount >= 0, what, "finite and >= 0");
        return amount;
    }

    private static void expect(boolean met, String what, String expected) throws IntpdProtocolException {
        if (!met) {
            throw new IntpdProtocolException("'%s' of an answer is not %s".formatted(what, expected));
        }
    }

    private static <T> T required(Optional<T> value, String what) throws IntpdProtocolException {
        return value.orElseThrow(() -> missing(what));
    }

    private static long required(OptionalLong value, String what) throws IntpdProtocolException {
        return value.orElseThrow(() -> missing(what));
    }

    private static IntpdProtocolException missing(String what) {
        return new IntpdProtocolException("an answer has no '%s'".formatted(what));
    }

    private record Refusal(Map<String, String> texts) {
        Optional<String> container() {
            return Optional.ofNullable(texts.get("container"));
        }

        IntpdAnswer.Refused refused() throws IntpdProtocolException {
            return new IntpdAnswer.Refused(
                    required(Optional.ofNullable(texts.get("code")), "code"), texts.getOrDefault("message", ""));
        }
    }

    private static final class Container {
        private Optional<String> id = Optional.empty();
        private Optional<Map<Signal, IntpdCount>> signals = Optional.empty();
        private Optional<List<IntpdTaker>> takers = Optional.empty();
        private Optional<List<IntpdPeer>> peers = Optional.empty();
        private OptionalDouble times = OptionalDouble.empty();
    }

    private static final class SignalMembers {
        private Optional<String> status = Optional.empty();
        private Optional<String> source = Optional.empty();
        private Optional<String> reason = Optional.empty();
        private OptionalDouble used = OptionalDouble.empty();
        private OptionalDouble capacity = OptionalDouble.empty();

        /** Empty for a status of a newer daemon. */
        Optional<IntpdCount> count() throws IntpdProtocolException {
            return switch (required(status, "status")) {
                case "ok" -> Optional.of(counted(false));
                case "apportioned" -> Optional.of(counted(true));
                case "unavailable" ->
                    Optional.of(new IntpdCount.Unavailable(required(reason, "reason"), required(source, "source")));
                default -> Optional.empty();
            };
        }

        private IntpdCount counted(boolean apportioned) throws IntpdProtocolException {
            return new IntpdCount.Counted(
                    used.orElseThrow(() -> missing("used")),
                    capacity.orElseThrow(() -> missing("capacity")),
                    apportioned,
                    required(source, "source"));
        }
    }
}
