package dev.tidings.servers.micro;

import jakarta.enterprise.concurrent.ManagedThreadFactoryDefinition;
import jakarta.servlet.http.HttpServlet;

/** A component that defines virtual threads. Threads: any. Public for the container; not API. */
@ManagedThreadFactoryDefinition(name = VirtualThreads.NAME, virtual = true)
public class VirtualThreads extends HttpServlet {
    private static final long serialVersionUID = 1L;

    static final String NAME = "java:app/concurrent/virtual";
}
