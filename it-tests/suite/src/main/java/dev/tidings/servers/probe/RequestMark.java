package dev.tidings.servers.probe;

import jakarta.enterprise.context.RequestScoped;

/** A bean of the request. Threads: one. Public for the container; not API. */
@RequestScoped
public class RequestMark {

    /** Fails where no request is active. */
    public void touch() {
        // To be reached is all.
    }
}
