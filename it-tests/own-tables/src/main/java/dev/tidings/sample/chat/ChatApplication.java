package dev.tidings.sample.chat;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The chat's own REST paths. Threads: none. Public for the container; not API. */
@ApplicationPath("rest")
public class ChatApplication extends Application {}
