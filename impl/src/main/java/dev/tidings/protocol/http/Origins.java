package dev.tidings.protocol.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pages of which origins may talk to a face.
 *
 * <p>A browser tells the page's origin with every WebSocket and every request that could do something, and a page cannot
 * change what it tells. Whoever tells none is no page of another site.
 *
 * <p>Threads: immutable. Source: protocols B.
 */
public final class Origins {
    private static final Pattern LOOPBACK =
            Pattern.compile("(?:(?:[a-z0-9-]+\\.)*localhost\\.?|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?");
    private static final Pattern ORIGIN = Pattern.compile("(https?)://([^/?#@\\s]+)");

    private final Set<String> allowed;

    /** @param allowed origins such as {@code https://desk.example}, besides each request's own host */
    public Origins(Collection<String> allowed) {
        this.allowed = allowed.stream().map(Origins::lower).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a page of that origin may talk to the host that it asked for. */
    public boolean admits(String origin, String host) {
        return allowed.contains(lower(origin)) || isOwn(origin, host);
    }

    /** Whether the origin is that of the host itself; a proxy may have changed the scheme, so that is not compared. */
    static boolean isOwn(String origin, String host) {
        Matcher matcher = ORIGIN.matcher(lower(origin));
        if (!matcher.matches()) {
            return false;
        }
        String port = matcher.group(1).equals("https") ? ":443" : ":80";
        return withoutPort(matcher.group(2), port).equals(withoutPort(lower(host), port));
    }

    /** Whether a Host header names this machine by a name that no other site can take for itself. */
    static boolean isLoopback(String host) {
        return LOOPBACK.matcher(lower(host)).matches();
    }

    private static String withoutPort(String authority, String port) {
        return authority.endsWith(port) ? authority.substring(0, authority.length() - port.length()) : authority;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
