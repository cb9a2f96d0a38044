package dev.tidings.servers.micro;

import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** A backend that defines virtual threads, as Jakarta EE 11 lets it, and gives them to Tidings. */
final class VirtualThreadsIT extends MicroBackendContract {

    @Override
    WebArchive war(WebArchive sample) {
        return sample.addClass(VirtualThreads.class)
                .addAsResource(
                        new StringAsset("tidings.threads.factory=" + VirtualThreads.NAME + "\n"),
                        "META-INF/microprofile-config.properties");
    }

    @Override
    protected boolean virtualThreads() {
        return true;
    }
}
