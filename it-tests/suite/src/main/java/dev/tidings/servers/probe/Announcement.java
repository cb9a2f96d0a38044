package dev.tidings.servers.probe;

/**
 * What is to be announced, as one line of text on its way to a timer or through a queue.
 *
 * @param session where
 * @param account who gets the hint
 * @param source by whom
 */
public record Announcement(String session, String account, String source) {

    static Announcement parse(String line) {
        String[] parts = line.split(" ", 3);
        return new Announcement(parts[0], parts[1], parts[2]);
    }

    String line() {
        return session + ' ' + account + ' ' + source;
    }
}
