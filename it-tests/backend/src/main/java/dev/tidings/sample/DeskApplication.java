package dev.tidings.sample;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/**
 * The desk's own REST paths; Tidings' paths are servlets beside them.
 *
 * <p>Threads: none. Public for the container; not API.
 */
@ApplicationPath("desk")
public class DeskApplication extends Application {}
