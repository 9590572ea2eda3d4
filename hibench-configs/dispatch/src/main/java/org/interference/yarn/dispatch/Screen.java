package org.interference.yarn.dispatch;

/** Where a run shows how far it is. Called by one thread. */
interface Screen extends AutoCloseable {
    /** Something that the reader wants to know once. */
    void say(String sentence);

    /** How many jobs there are, were submitted, and are over; of these, how many failed. */
    void progress(int jobs, int submitted, int over, int failed);

    @Override
    void close();
}
