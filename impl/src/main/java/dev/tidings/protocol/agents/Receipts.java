package dev.tidings.protocol.agents;

import dev.tidings.envelope.Bytes;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Remembers which actions were done and how they were answered, so that one that comes again has no second effect (law
 * 11).
 *
 * <p>The first claim of a key does the work; every other one gets its answer, at once or when it is there.
 *
 * <p>Threads: safe for use by many threads. The work is done on the claiming thread, under no lock.
 */
interface Receipts {

    /**
     * Does the work once for a key.
     *
     * @param key names the action
     * @param digest of what it is; under the same key it must be the same
     * @param work what to do, never null
     * @throws ActionRefusal if the key was claimed with another digest, if its answer is no longer kept, or if no more
     *     can be remembered; then the work was not done
     */
    CompletionStage<HttpAnswer> once(Bytes key, Bytes digest, Supplier<CompletionStage<HttpAnswer>> work);
}
