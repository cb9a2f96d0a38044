package dev.tidings.servers.wildfly;

import dev.tidings.servers.SampleBackendContract;

final class WildFlyIT extends SampleBackendContract {

    /** The descriptor shuts WildFly's own Jackson out. */
    @Override
    protected String jacksonCoreJar() {
        return "/WEB-INF/lib/jackson-core-";
    }
}
