package dev.tidings.servers.wildfly;

import dev.tidings.servers.backend.RedeployContract;
import dev.tidings.servers.backend.ServerProcess;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

final class RedeployIT extends RedeployContract {

    @Deployment(testable = false)
    public static WebArchive stays() {
        return beside();
    }

    @Deployment(name = AGAIN, managed = false, testable = false)
    public static WebArchive comesAndGoes() {
        return again();
    }

    @Deployment(name = PLAIN, managed = false, testable = false)
    public static WebArchive withoutTidings() {
        return plain();
    }

    @Override
    protected ServerProcess server() {
        return WildFlyServer.process();
    }

    @Override
    protected int requestThreads() {
        return WildFlyServer.REQUEST_THREADS;
    }
}
