package org.interference.yarn.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/** A Kerberos realm of its own, with a ResourceManager's web server on localhost and some people. */
final class Realm implements AutoCloseable {
    private static final String SERVER = "HTTP/localhost";

    private final MiniKdc kdc;
    private final Path directory;
    private final Path keytab;

    private Realm(MiniKdc kdc, Path directory, Path keytab) {
        this.kdc = kdc;
        this.directory = directory;
        this.keytab = keytab;
    }

    /** Starts a key distribution centre that keeps its files in {@code parent}. */
    static Realm of(Path parent, String... people) throws Exception {
        Path directory = Files.createDirectories(parent.resolve("kdc"));
        MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
        kdc.start();
        Path keytab = directory.resolve("keytab");
        kdc.createPrincipal(keytab.toFile(), people);
        kdc.createPrincipal(directory.resolve("server").toFile(), SERVER);
        return new Realm(kdc, directory, keytab);
    }

    /** What the ResourceManager's web server must be told. */
    Map<String, String> settings() {
        return Map.of(
                "hadoop.http.authentication.type",
                "kerberos",
                "hadoop.http.authentication.kerberos.principal",
                principal(SERVER),
                "hadoop.http.authentication.kerberos.keytab",
                directory.resolve("server").toString());
    }

    String principal(String name) {
        return name + "@" + kdc.getRealm();
    }

    /** Of all people, not of the server. */
    Path keytab() {
        return keytab;
    }

    /** What a client's Kerberos library must read. */
    Path configuration() {
        return kdc.getKrb5conf().toPath();
    }

    /** Does what kinit does, and returns the file of the tickets. */
    Path ticketsOf(String name) throws Exception {
        KrbClient client = new KrbClient(configuration().getParent().toFile());
        client.init();
        Path cache = directory.resolve(name + ".tickets");
        client.storeTicket(client.requestTgt(principal(name), keytab.toFile()), cache.toFile());
        return cache;
    }

    @Override
    public void close() throws IOException {
        kdc.stop();
    }
}
