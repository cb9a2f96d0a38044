/**
 * Signed envelopes: canonical DAG-CBOR, its values as JSON and back, and Ed25519.
 *
 * <p>The only code that can make a {@link dev.tidings.envelope.VerifiedEnvelope}. The way is always the same: bytes, then
 * {@link dev.tidings.envelope.SignedEnvelope} (well formed), then {@code VerifiedEnvelope} (fresh, signed, authorised).
 *
 * <p>Must not know: sockets, HTTP, the delivery engine, what any action means, and where authorisations are stored. It asks
 * for the last through {@link dev.tidings.envelope.SignerCheck}.
 */
@NullMarked
package dev.tidings.envelope;

import org.jspecify.annotations.NullMarked;
