package org.interference.yarn.nm.cgroup;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The schemata of a resctrl allocation group: bit masks of the cache's ways ({@code L3}), per cent of memory bandwidth ({@code MB}). */
final class Schemata {
    private static final int HEX = 16;
    private static final int PERCENT = 100;

    /** What Intel's memory bandwidth allocation takes: steps of ten, from ten on. */
    private static final long STEP = 10;

    private Schemata() {}

    /** Returns {@code whole}, the root's schemata, cut down to {@code percent} of the cache's ways and of the bandwidth. */
    static String confined(String whole, long percent) {
        List<String> lines = new ArrayList<>();
        for (String line : whole.lines().map(String::strip).toList()) {
            if (line.startsWith("L3:")) {
                lines.add("L3:" + eachDomain(line, mask -> lowestWays(mask, percent)));
            } else if (line.startsWith("MB:")) {
                lines.add("MB:" + eachDomain(line, share -> Long.toString(Math.max(STEP, percent / STEP * STEP))));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private interface Domain {
        String confined(String value);
    }

    private static String eachDomain(String line, Domain domain) {
        List<String> domains = new ArrayList<>();
        for (String part : line.substring(line.indexOf(':') + 1).split(";", -1)) {
            String[] halves = part.split("=", 2);
            domains.add(halves[0].strip() + "=" + domain.confined(halves[halves.length - 1].strip()));
        }
        return String.join(";", domains);
    }

    /** A mask must be of neighbouring bits, and not empty. */
    private static String lowestWays(String mask, long percent) {
        int ways = new BigInteger(mask, HEX).bitCount();
        int left = (int) Math.max(1, ways * percent / PERCENT);
        return BigInteger.ONE
                .shiftLeft(left)
                .subtract(BigInteger.ONE)
                .toString(HEX)
                .toLowerCase(Locale.ROOT);
    }
}
