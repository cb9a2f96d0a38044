package dev.tidings.standalone;

import java.util.List;

/** The server's process with the faces of the tests. */
public final class TestMain {
    private TestMain() {}

    public static void main(String[] arguments) {
        Main.run(List.of(arguments), TestFaces.faces());
    }
}
