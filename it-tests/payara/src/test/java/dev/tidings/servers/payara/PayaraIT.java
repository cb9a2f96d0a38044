package dev.tidings.servers.payara;

import dev.tidings.servers.SampleBackendContract;

final class PayaraIT extends SampleBackendContract {

    /** Payara asks its own modules first; the bundled CBOR format must fit their Jackson. */
    @Override
    protected String jacksonCoreJar() {
        return "/glassfish/modules/jackson-core";
    }
}
