package dev.tidings.servers;

/** H2, which each of the servers has by default. */
public final class EmbeddedDatabase {

    /**
     * What the guide asks of an H2. Left to itself it lets nobody wait for a busy session for more than two seconds,
     * which on a starved machine is an answer of 500 to one of many who speak at once.
     */
    public static final String OPTIONS = ";LOCK_TIMEOUT=10000;OPTIMIZE_REUSE_RESULTS=FALSE";

    private EmbeddedDatabase() {}
}
