package org.interference.yarn.sim.faults;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** How large the collections of a plugin are, found by walking over its objects. */
final class Plugins {
    private static final String OURS = "org.interference.yarn.";
    private static final Map<Class<?>, Field[]> FIELDS = new java.util.concurrent.ConcurrentHashMap<>();

    private Plugins() {}

    private record Found(String field, Object value) {}

    /** Returns the size of the largest collection that each field of our classes holds, by the field's name, of all that {@code root} reaches. */
    static Map<String, Integer> sizes(Object root) {
        Map<String, Integer> sizes = new TreeMap<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Found> todo = new ArrayDeque<>();
        todo.add(new Found("", root));
        while (!todo.isEmpty()) {
            Found next = todo.pop();
            Object value = next.value();
            if (value == null || !seen.add(value)) {
                continue;
            }
            if (value instanceof Map<?, ?> map) {
                sizes.merge(next.field(), map.size(), Math::max);
                map.keySet().forEach(key -> todo.push(new Found(next.field() + ".key", key)));
                map.values().forEach(one -> todo.push(new Found(next.field() + ".value", one)));
            } else if (value instanceof Collection<?> collection) {
                sizes.merge(next.field(), collection.size(), Math::max);
                collection.forEach(one -> todo.push(new Found(next.field() + ".element", one)));
            } else if (value instanceof Optional<?> optional) {
                optional.ifPresent(one -> todo.push(new Found(next.field(), one)));
            } else if (value instanceof AtomicReference<?> reference) {
                todo.push(new Found(next.field(), reference.get()));
            } else if (value instanceof Object[] array) {
                sizes.merge(next.field(), array.length, Math::max);
                for (Object one : array) {
                    todo.push(new Found(next.field() + ".element", one));
                }
            } else if (isOurs(value.getClass())) {
                fields(value, todo);
            }
        }
        return sizes;
    }

    private static boolean isOurs(Class<?> type) {
        return (type.getName().startsWith(OURS)
                        && (!type.getName().startsWith(OURS + "sim.")
                                || !type.getSuperclass().equals(Object.class))
                        && !type.isEnum()
                        && !type.isHidden())
                || type.getName().startsWith("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Needy");
    }

    private static void fields(Object of, Deque<Found> todo) {
        for (Class<?> type = of.getClass();
                type != null && (type.getName().contains("interference") || isNeedy(type));
                type = type.getSuperclass()) {
            for (Field field : FIELDS.computeIfAbsent(type, Plugins::references)) {
                try {
                    todo.push(new Found(type.getSimpleName() + "." + field.getName(), field.get(of)));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static boolean isNeedy(Class<?> type) {
        return type != null && type.getSimpleName().equals("NeedyApplications");
    }

    private static Field[] references(Class<?> type) {
        return java.util.Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers())
                        && !field.getType().isPrimitive())
                .filter(Plugins::isOpened)
                .toArray(Field[]::new);
    }

    private static boolean isOpened(Field field) {
        return field.trySetAccessible();
    }
}
