package dev.tidings.servers.micro;

/** A backend that says nothing of threads: it has those of the server's default factory. */
final class BackendIT extends MicroBackendContract {}
