package dev.tidings.servers.wildfly;

import dev.tidings.servers.backend.RedeployContract;
import dev.tidings.servers.backend.ServerProcess;
import java.util.Arrays;
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

    /** The one that Arquillian started: there is no other below this process. */
    @Override
    protected ServerProcess server() {
        return new ServerProcess(ProcessHandle.current()
                .descendants()
                .filter(process -> process.info()
                        .arguments()
                        .map(Arrays::asList)
                        .filter(line -> line.contains("org.jboss.as.standalone"))
                        .isPresent())
                .findFirst()
                .orElseThrow()
                .pid());
    }
}
