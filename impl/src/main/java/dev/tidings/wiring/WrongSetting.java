package dev.tidings.wiring;

/**
 * A configuration key has a value that it may not have. The message names the key and what it must be, never the value, which
 * may be a secret: it may be shown to whoever starts the application.
 */
public final class WrongSetting extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    WrongSetting(String message) {
        super(message);
    }
}
