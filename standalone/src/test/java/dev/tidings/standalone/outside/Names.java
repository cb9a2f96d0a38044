package dev.tidings.standalone.outside;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which of our accounts and things stands for which of a transcript.
 *
 * <p>Threads: one replay's.
 */
final class Names {
    private final URI base;
    private final Map<String, Signer> signers = new LinkedHashMap<>();
    private final Map<String, String> ids = new LinkedHashMap<>();
    private final Map<String, List<String>> made = new LinkedHashMap<>();
    private final Map<String, Integer> named = new LinkedHashMap<>();

    Names(URI base) {
        this.base = base;
    }

    /** Our signer in the place of theirs. */
    Signer signer(String theirs) {
        return signers.computeIfAbsent(theirs, account -> {
            byte[] seed = new byte[32];
            new SecureRandom().nextBytes(seed);
            Signer ours = Signer.fromSeed(seed);
            ids.put(theirs, ours.id());
            return ours;
        });
    }

    SignedClient client(String theirs) {
        return SignedClient.of(base, signer(theirs));
    }

    /** We made one of that kind; theirs of that kind that is named next is this one. */
    void made(String kind, String ours) {
        made.computeIfAbsent(kind, any -> new ArrayList<>()).add(ours);
    }

    /** The one of that kind that we made. */
    String only(String kind) {
        List<String> ours = made.getOrDefault(kind, List.of());
        if (ours.size() != 1) {
            throw new AssertionError("there are " + ours.size() + " " + kind);
        }
        return ours.get(0);
    }

    /** Their id is ours. */
    void is(String theirs, String ours) {
        ids.put(theirs, ours);
    }

    boolean knows(String theirs) {
        return ids.containsKey(theirs);
    }

    /** Our id in the place of theirs; theirs itself where nothing stands for it. */
    String id(String kind, String theirs) {
        String known = ids.get(theirs);
        if (known != null) {
            return known;
        }
        List<String> ours = made.getOrDefault(kind, List.of());
        int next = named.getOrDefault(kind, 0);
        if (theirs.length() != 36 || next >= ours.size()) {
            return theirs;
        }
        named.put(kind, next + 1);
        ids.put(theirs, ours.get(next));
        return ours.get(next);
    }

    /** Our text in the place of theirs: whatever names in it are known. */
    String text(String theirs) {
        String text = theirs;
        for (Map.Entry<String, String> each : ids.entrySet()) {
            text = text.replace(each.getKey(), each.getValue());
        }
        return text;
    }

    /** Our key in the place of theirs. */
    String key(String theirs) {
        int slash = theirs.indexOf('/');
        if (slash > 0 && theirs.indexOf('/', slash + 1) < 0) {
            String kind = theirs.substring(0, slash);
            id(kind, theirs.substring(slash + 1).strip());
        }
        return text(theirs);
    }
}
