package org.interference.yarn.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.interference.yarn.profile.store.StoreDirectory;

/**
 * A directory of which nothing more is asked once its user has stopped: what hung until then must not claim a store that another
 * ResourceManager has taken over since.
 */
final class LeftAlone implements StoreDirectory {
    private final StoreDirectory directory;
    private final BooleanSupplier stopped;

    LeftAlone(StoreDirectory directory, BooleanSupplier stopped) {
        this.directory = directory;
        this.stopped = stopped;
    }

    private StoreDirectory directory() throws IOException {
        if (stopped.getAsBoolean()) {
            throw new IOException("the plugin has stopped");
        }
        return directory;
    }

    @Override
    public List<String> list() throws IOException {
        return directory().list();
    }

    @Override
    public InputStream read(String name) throws IOException {
        return directory().read(name);
    }

    @Override
    public boolean claim(String name) throws IOException {
        return directory().claim(name);
    }

    @Override
    public Output create(String name) throws IOException {
        return directory().create(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        directory().rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        directory().delete(name);
    }

    @Override
    public String location() {
        return directory.location();
    }
}
