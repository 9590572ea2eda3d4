package org.interference.yarn.rest;

/** What somebody may see. */
interface Viewer {
    /** Sees everything. */
    Viewer OF_ALL = new Viewer() {
        @Override
        public boolean mayView(String application) {
            return true;
        }

        @Override
        public boolean mayViewAll() {
            return true;
        }

        @Override
        public boolean mayViewQueue(String queue) {
            return true;
        }
    };

    /** Returns whether this application's containers are shown with their names. */
    boolean mayView(String application);

    /** Returns whether the names of kinds of task are shown, which any application may have left behind. */
    boolean mayViewAll();

    /** Returns whether a queue is shown, by its full path. */
    boolean mayViewQueue(String queue);

    /** Returns {@code key}, or what stands for it as long as the ResourceManager runs. */
    default String key(String key) {
        return mayViewAll() ? key : Pseudonyms.of(key);
    }
}
