package org.interference.yarn.wire;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.wire.proto.FlowProto;

/** Reads one FlowProto, field by field as {@link HeartbeatReader}. */
final class FlowReader {
    private FlowReader() {}

    /** @throws IllegalArgumentException if an address, a port or an amount is none */
    static Flow read(CodedInputStream input) throws IOException {
        byte[] local = {};
        byte[] remote = {};
        int localPort = 0;
        int remotePort = 0;
        long sent = 0;
        long received = 0;
        boolean more = true;
        while (more) {
            int tag = input.readTag();
            switch (tag) {
                case FlowProto.LOCAL_ADDRESS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    local = input.readByteArray();
                case FlowProto.LOCAL_PORT_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    localPort = input.readUInt32();
                case FlowProto.REMOTE_ADDRESS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    remote = input.readByteArray();
                case FlowProto.REMOTE_PORT_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    remotePort = input.readUInt32();
                case FlowProto.SENT_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT -> sent = input.readUInt64();
                case FlowProto.RECEIVED_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    received = input.readUInt64();
                default -> more = !HeartbeatReader.isEnd(tag, input);
            }
        }
        return new Flow(endpoint(local, localPort), endpoint(remote, remotePort), sent, received);
    }

    private static Endpoint endpoint(byte[] address, int port) {
        ByteBuffer bytes = ByteBuffer.wrap(address);
        return switch (address.length) {
            case Integer.BYTES -> Endpoint.ofIpv4(bytes.getInt(), port);
            case 2 * Long.BYTES -> new Endpoint(bytes.getLong(), bytes.getLong(), port);
            default -> throw new IllegalArgumentException("%d bytes are no address".formatted(address.length));
        };
    }
}
