package dev.tidings.servers.payara;

import dev.tidings.servers.SampleBackendContract;
import dev.tidings.servers.backend.ServerProcess;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class PayaraIT extends SampleBackendContract {

    @Override
    protected String door() {
        return "dev.tidings.transport.payara.PayaraDoor";
    }

    @Override
    protected ServerProcess server() {
        return PayaraServer.process();
    }

    /** Payara asks its own modules first; the bundled CBOR format must fit their Jackson. */
    @Override
    protected String jacksonCoreJar() {
        return "/glassfish/modules/jackson-core";
    }
}
