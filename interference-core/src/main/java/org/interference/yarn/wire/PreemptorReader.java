package org.interference.yarn.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Preemptor;

/** Reads ContainerProto.preemptors. */
final class PreemptorReader {
    static final int BYTES_OF_ONE = 2 + ShortFloat.BYTES;

    private PreemptorReader() {}

    /**
     * @param containers of the report, by whose numbers preemptors are named
     * @throws IllegalArgumentException if it is cut off, there are too many, or one names a container that there is not or has no rate
     */
    static List<Preemptor> read(byte[] bytes, int start, int length, ContainerReport[] containers) {
        if (length % BYTES_OF_ONE != 0 || length > Preemptor.MOST * BYTES_OF_ONE) {
            throw new IllegalArgumentException("%d bytes are no list of preemptors".formatted(length));
        }
        List<Preemptor> preemptors = new ArrayList<>(length / BYTES_OF_ONE);
        for (int at = start; at < start + length; at += BYTES_OF_ONE) {
            int number = Byte.toUnsignedInt(bytes[at]) | (Byte.toUnsignedInt(bytes[at + 1]) << Byte.SIZE);
            if (number > containers.length) {
                throw new IllegalArgumentException(
                        "preemptor %d of %d containers".formatted(number, containers.length));
            }
            preemptors.add(new Preemptor(
                    number == 0 ? Optional.empty() : Optional.of(containers[number - 1].container()),
                    ShortFloat.read(bytes, at + 2)));
        }
        return preemptors;
    }
}
