package dev.tidings.standalone;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One line a record on standard error: libraries from WARNING on, Tidings from INFO on.
 *
 * <p>An exception's text and trace may hold SQL or what a peer sent, so they appear at {@code debug} only.
 */
final class Logging {
    /** Kept here because java.util.logging forgets the level of a logger that nobody holds. */
    private static final Logger ROOT = Logger.getLogger("");

    private static final Logger TIDINGS = Logger.getLogger("dev.tidings");

    /** It logs the text of every SQL exception, also of those that the caller handles. */
    private static final Logger SQL_EXCEPTIONS = Logger.getLogger("org.hibernate.engine.jdbc.spi.SqlExceptionHelper");

    private Logging() {}

    /** @param level the value of {@code TIDINGS_LOG}, null for none */
    static void configure(@Nullable String level) {
        boolean debug = "debug".equalsIgnoreCase(level);
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
        }
        ConsoleHandler console = new ConsoleHandler();
        console.setLevel(Level.ALL);
        console.setFormatter(new OneLine(debug));
        ROOT.addHandler(console);
        ROOT.setLevel(debug ? Level.INFO : Level.WARNING);
        TIDINGS.setLevel(tidingsLevel(level));
        if (!debug) {
            SQL_EXCEPTIONS.setLevel(Level.OFF);
        }
        System.setProperty("org.jboss.logging.provider", "jdk");
    }

    private static Level tidingsLevel(@Nullable String name) {
        return switch (name == null ? "info" : name.toLowerCase(Locale.ROOT)) {
            case "debug" -> Level.FINE;
            case "warn" -> Level.WARNING;
            case "error" -> Level.SEVERE;
            default -> Level.INFO;
        };
    }

    private static final class OneLine extends Formatter {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
        private final boolean traces;

        OneLine(boolean traces) {
            this.traces = traces;
        }

        @Override
        public String format(LogRecord logged) {
            StringBuilder line = new StringBuilder(160)
                    .append(TIME.format(Instant.ofEpochMilli(logged.getMillis())))
                    .append(' ')
                    .append(logged.getLevel().getName())
                    .append(' ')
                    .append(shortName(logged.getLoggerName()))
                    .append(": ")
                    .append(formatMessage(logged).replaceAll("\\s*\\R\\s*", " "));
            Throwable thrown = logged.getThrown();
            if (thrown != null) {
                line.append(traces ? System.lineSeparator() + trace(thrown) : " (TIDINGS_LOG=debug shows why)");
            }
            return line.append(System.lineSeparator()).toString();
        }

        private static String shortName(@Nullable String logger) {
            return logger == null ? "" : logger.substring(logger.lastIndexOf('.') + 1);
        }

        private static String trace(Throwable thrown) {
            java.io.StringWriter text = new java.io.StringWriter();
            thrown.printStackTrace(new java.io.PrintWriter(text, true));
            return text.toString();
        }
    }
}
