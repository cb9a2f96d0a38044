package dev.tidings.standalone;

import dev.tidings.ApiKeySecret;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Where a running server takes commands from its own machine: a port of the loopback address and a secret, both in a
 * file of the data directory that only its user may read.
 *
 * <p>The database itself cannot be shared: H2 lets one process in, and a revocation has to be seen by the process that has
 * the sockets. What is spoken is not HTTP, so no web page can speak it.
 *
 * <p>Threads: opened and closed by one thread; it answers each caller on a thread of its own, and only so many at once.
 */
final class AdminDoor implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AdminDoor.class.getName());
    private static final String FILE = "admin";
    private static final int MOST_WORDS = 32;
    private static final int PATIENCE_MILLIS = 10_000;

    /** Who has the secret says it at once. */
    private static final int SECRET_MILLIS = 2_000;

    /** Who has no secret, and says nothing, keeps a place and not the door. */
    private static final int MOST_CALLERS = 64;

    private final ServerSocket socket;
    private final Path file;
    private final String secret;
    private final Supplier<KeyDesk> desk;
    private final Semaphore places = new Semaphore(MOST_CALLERS);

    private AdminDoor(ServerSocket socket, Path file, String secret, Supplier<KeyDesk> desk) {
        this.socket = socket;
        this.file = file;
        this.secret = secret;
        this.desk = desk;
    }

    /** @throws StartFailure if the door cannot be opened */
    static AdminDoor open(Path data, Supplier<KeyDesk> desk) {
        String secret = ApiKeySecret.random().text();
        try {
            ServerSocket socket = new ServerSocket();
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Path file = data.resolve(FILE);
            write(file, socket.getLocalPort() + "\n" + secret + "\n");
            AdminDoor door = new AdminDoor(socket, file, secret, desk);
            ServerThreads.daemons("tidings-admin").newThread(door::serve).start();
            return door;
        } catch (IOException e) {
            throw new StartFailure("the data directory cannot be written to: " + data, e);
        }
    }

    /** Readable for its owner alone from the moment it is there. */
    private static void write(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(FILE + ".new");
        Files.deleteIfExists(fresh);
        OwnerOnly.makeFile(fresh);
        Files.writeString(fresh, text, StandardCharsets.US_ASCII);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void serve() {
        ThreadFactory threads = ServerThreads.daemons("tidings-admin-caller");
        while (!socket.isClosed()) {
            try {
                Socket caller = socket.accept();
                if (!places.tryAcquire()) {
                    caller.close();
                    continue;
                }
                boolean handedOver = false;
                try {
                    threads.newThread(() -> serve(caller)).start();
                    handedOver = true;
                } finally {
                    if (!handedOver) {
                        places.release();
                        caller.close();
                    }
                }
            } catch (IOException goneOrClosed) {
                LOG.log(System.Logger.Level.DEBUG, "a caller of the administration went away");
            } catch (RuntimeException | Error noThread) {
                LOG.log(System.Logger.Level.WARNING, "a caller of the administration could not be answered");
            }
        }
    }

    private void serve(Socket accepted) {
        try (Socket caller = accepted) {
            answer(caller);
        } catch (IOException goneOrClosed) {
            LOG.log(System.Logger.Level.DEBUG, "a caller of the administration went away");
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "an administration command failed");
        } finally {
            places.release();
        }
    }

    private void answer(Socket caller) throws IOException {
        caller.setSoTimeout(SECRET_MILLIS);
        DataInputStream in = new DataInputStream(caller.getInputStream());
        byte[] presented = in.readNBytes(ApiKeySecret.LENGTH);
        caller.setSoTimeout(PATIENCE_MILLIS);
        if (!MessageDigest.isEqual(presented, secret.getBytes(StandardCharsets.US_ASCII))) {
            return;
        }
        int count = in.readUnsignedByte();
        List<String> words = new ArrayList<>();
        for (int i = 0; i < Math.min(count, MOST_WORDS); i++) {
            words.add(in.readUTF());
        }
        KeyDesk.Answer answer;
        try {
            answer = desk.get().answer(KeysCommand.parse(words).command());
        } catch (Options.WrongUsage e) {
            answer = new KeyDesk.Answer(false, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "an administration command failed");
            answer = new KeyDesk.Answer(false, "the server could not do it");
        }
        DataOutputStream out = new DataOutputStream(caller.getOutputStream());
        byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
        out.writeBoolean(answer.done());
        out.writeInt(text.length);
        out.write(text);
        out.flush();
    }

    /** What a running server says to a command; empty if none runs over that data. */
    static Optional<KeyDesk.Answer> ask(KeysCommand.Call call) {
        try {
            List<String> lines = Files.readAllLines(call.data().resolve(FILE), StandardCharsets.US_ASCII);
            int port = Integer.parseInt(lines.get(0));
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
                socket.setSoTimeout(PATIENCE_MILLIS);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.write(lines.get(1).getBytes(StandardCharsets.US_ASCII));
                out.writeByte(call.words().size());
                for (String word : call.words()) {
                    out.writeUTF(word);
                }
                out.flush();
                DataInputStream in = new DataInputStream(socket.getInputStream());
                boolean done = in.readBoolean();
                byte[] text = in.readNBytes(in.readInt());
                return Optional.of(new KeyDesk.Answer(done, new String(text, StandardCharsets.UTF_8)));
            }
        } catch (FileSystemException | java.net.ConnectException noServer) {
            return Optional.empty();
        } catch (IOException | RuntimeException anotherProcessOrABrokenFile) {
            // The database knows for sure whether a server runs.
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the administration's file could not be removed");
        }
    }
}
