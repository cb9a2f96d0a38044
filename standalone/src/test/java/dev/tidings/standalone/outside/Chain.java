package dev.tidings.standalone.outside;

/**
 * Events one behind the other, as far as they came, with a sum over their texts that differs if any letter does.
 *
 * @param last the cursor of the last one, 0 for none
 * @param sum of all their texts, in order
 */
record Chain(long last, long sum) {
    static final Chain EMPTY = new Chain(0, 0);
    private static final String CURSOR = "\"cursor\":";
    private static final String EVENTS = "\"events\":[";

    /** With one more event. */
    Chain with(String event) {
        long cursor = cursor(event);
        if (cursor != last + 1) {
            throw new IllegalArgumentException("behind " + last + " comes " + event);
        }
        return new Chain(cursor, (sum * 1_000_003 + event.hashCode()) * 1_000_003 + event.length());
    }

    /** The cursor of an event; 0 for what is none. It stands before the payload. */
    static long cursor(String event) {
        int at = event.indexOf(CURSOR);
        if (at < 0) {
            return 0;
        }
        int from = at + CURSOR.length();
        int to = from;
        while (Character.isDigit(event.charAt(to))) {
            to++;
        }
        return Long.parseLong(event.substring(from, to));
    }

    /** The events of a stored session. */
    static Chain ofTranscript(String transcript) {
        Chain chain = EMPTY;
        int depth = 0;
        boolean text = false;
        int begin = 0;
        for (int i = transcript.indexOf(EVENTS) + EVENTS.length(); i < transcript.length(); i++) {
            char c = transcript.charAt(i);
            if (text) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    text = false;
                }
            } else if (c == '"') {
                text = true;
            } else if (c == '{') {
                begin = depth++ == 0 ? i : begin;
            } else if (c == '}' && --depth == 0) {
                chain = chain.with(transcript.substring(begin, i + 1));
            } else if (depth < 0) {
                return chain;
            }
        }
        throw new IllegalArgumentException("no end");
    }
}
