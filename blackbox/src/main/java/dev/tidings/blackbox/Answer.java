package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the signed HTTP API answered.
 *
 * <p>Threads: read it from anywhere, change it nowhere.
 *
 * @param status the HTTP status
 * @param body the answer's DAG-CBOR, as JSON
 */
public record Answer(int status, JsonNode body) {}
