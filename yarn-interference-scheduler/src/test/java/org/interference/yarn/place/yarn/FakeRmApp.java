package org.interference.yarn.place.yarn;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;

/** An application that knows who it is and nothing else: any other question is an error. */
final class FakeRmApp {
    private FakeRmApp() {}

    static RMApp of(String type, String name, String queue, Set<String> tags) {
        return answering(
                Map.of("getApplicationType", type, "getName", name, "getQueue", queue, "getApplicationTags", tags));
    }

    /** An application submitted without any of it. */
    static RMApp anonymous() {
        return answering(Map.of());
    }

    private static RMApp answering(Map<String, Object> answers) {
        Set<String> known = Set.of(
                "getApplicationType", "getName", "getQueue", "getApplicationTags", "getUser", "getApplicationId");
        return (RMApp) Proxy.newProxyInstance(
                RMApp.class.getClassLoader(), new Class<?>[] {RMApp.class}, (proxy, method, arguments) -> {
                    if (!known.contains(method.getName())) {
                        throw new UnsupportedOperationException(method + " needs a lock, or is not identity");
                    }
                    return answers.get(method.getName());
                });
    }
}
