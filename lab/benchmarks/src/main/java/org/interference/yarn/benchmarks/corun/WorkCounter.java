package org.interference.yarn.benchmarks.corun;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Units of work done so far, in the first eight bytes of a file that others map; native order, growing only. Thread-safe. */
final class WorkCounter {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;

    private WorkCounter(ByteBuffer memory) {
        this.memory = memory;
    }

    static WorkCounter in(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new WorkCounter(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
        }
    }

    void add(long units) {
        LONG.getAndAdd(memory, 0, units);
    }
}
