package dev.tidings.bench;

/**
 * A stretch of time in which something is measured: the clock, the processor time of the server and of its database.
 *
 * <p>Threads: one.
 */
final class Span {
    private final TidingsTarget target;
    private final long start = System.nanoTime();
    private final ServerProcess.Cpu server;
    private final ServerProcess.Cpu database;

    private Span(TidingsTarget target) {
        this.target = target;
        this.server = ServerProcess.cpu(target.pid());
        this.database = database();
    }

    /** Begins. */
    static Span of(TidingsTarget target) {
        return new Span(target);
    }

    private ServerProcess.Cpu database() {
        return target.database().map(Postgresql::cpu).orElse(ServerProcess.Cpu.UNKNOWN);
    }

    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** The server's processor time so far, in seconds; NaN if it is unknown. */
    double cpuSeconds() {
        ServerProcess.Cpu used = ServerProcess.cpu(target.pid()).since(server);
        return server.user() < 0 ? Double.NaN : (used.user() + used.system()) / 1e6;
    }

    /** Writes down what was delivered until now. */
    Result ended(Result result, long frames) {
        result.delivered(frames, seconds(), ServerProcess.cpu(target.pid()).since(server));
        ServerProcess.Cpu used = database().since(database);
        if (database.user() >= 0) {
            result.with("database_cpu_us_per_frame", (double) (used.user() + used.system()) / frames);
        }
        return result;
    }
}
