package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Which part of a list is asked for. Immutable.
 *
 * @param offset how many to pass over, {@code >= 0}
 * @param limit how many to answer at most, {@code >= 1}
 */
record Page(int offset, int limit) {
    static final int MOST = 1000;
    private static final int LAST_OFFSET = 10_000_000;

    /** @throws RequestException if one of them breaks its rule */
    static Page of(String offset, String limit) {
        return new Page(number("offset", offset, 0, LAST_OFFSET, 0), number("limit", limit, 1, MOST, 100));
    }

    /** Returns the value of a query parameter. */
    static int number(String name, String raw, int least, int most, int fallback) {
        int value;
        try {
            value = Integer.parseInt(raw);
        } catch (NumberFormatException e) {
            value = least - 1;
        }
        if (value < least || value > most) {
            throw RequestException.bad("%s is '%s' but must be a whole number from %d to %d (default: %d)"
                    .formatted(name, raw, least, most, fallback));
        }
        return value;
    }

    /** Returns whether the item with this number, from 0, is on the page. */
    boolean holds(long number) {
        return number >= offset && number < (long) offset + limit;
    }

    /** Returns whether any of the items with these numbers is on the page. */
    boolean touches(long from, long to) {
        return from < (long) offset + limit && to > offset;
    }

    /** Returns the answer to a list: of {@code all} those that are on the page. */
    <T> ObjectNode answer(String name, List<T> all, BiConsumer<ObjectNode, T> describe) {
        return answer(name, all, all.size(), describe);
    }

    /** As above, of a list of which only {@code first} are there, at least up to the end of the page. */
    <T> ObjectNode answer(String name, List<T> first, long total, BiConsumer<ObjectNode, T> describe) {
        ArrayNode items = Json.array();
        first.subList(Math.min(offset, first.size()), (int) Math.min((long) offset + limit, first.size()))
                .forEach(item -> describe.accept(items.addObject(), item));
        return answer(name, total, items);
    }

    ObjectNode answer(String name, long total, ArrayNode items) {
        ObjectNode answer =
                Json.object().put("total", total).put("offset", offset).put("limit", limit);
        answer.set(name, items);
        return answer;
    }
}
