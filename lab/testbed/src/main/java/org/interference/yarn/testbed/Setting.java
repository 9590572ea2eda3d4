package org.interference.yarn.testbed;

import java.nio.file.Path;

/**
 * Where a run finds its bed.
 *
 * @param program testbed/bin/work
 * @param times where each container leaves when it began and ended
 * @param receiver {@code address:port} of what takes in what containers send
 * @param slotMegabytes memory of a container
 */
public record Setting(Path program, Path times, String receiver, int slotMegabytes) {}
