package org.interference.yarn.nm.collect;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.wire.intpd.IntpdAnswer;
import org.interference.yarn.wire.intpd.IntpdPeer;

/** What intpd says of connections, with addresses as numbers. */
final class IntpdFlows {
    /** What is neither would be looked up as a name, which takes time and asks others. */
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*");

    private IntpdFlows() {}

    /** Returns the connections by container id; those whose address cannot be read are left out. */
    static Map<String, List<Flow>> of(IntpdAnswer.Snapshot snapshot) {
        Map<String, List<Flow>> flows = new HashMap<>();
        snapshot.peers()
                .forEach((container, peers) -> flows.put(
                        container,
                        peers.stream().flatMap(peer -> flow(peer).stream()).toList()));
        return flows;
    }

    private static Optional<Flow> flow(IntpdPeer peer) {
        Optional<Endpoint> remote = endpoint(peer.remote(), peer.remotePort());
        return endpoint(peer.local(), peer.localPort())
                .flatMap(local ->
                        remote.map(other -> new Flow(local, other, (long) peer.sent(), (long) peer.received())));
    }

    private static Optional<Endpoint> endpoint(String text, int port) {
        if (!ADDRESS.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(InetAddress.getByName(text).getAddress());
            return Optional.of(
                    bytes.remaining() == Integer.BYTES
                            ? Endpoint.ofIpv4(bytes.getInt(), port)
                            : new Endpoint(bytes.getLong(), bytes.getLong(), port));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
