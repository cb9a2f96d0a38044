package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import dev.tidings.blackbox.AsyncApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/asyncapi.yaml} against the official JSON Schema of AsyncAPI 3.0.0, which comes from npm. Skipped where npm or
 * the package is not to be had; never in CI.
 */
class AsyncApiSchemaIT {

    @Test
    void document_isValidByTheOfficialSchema(@TempDir Path folder) throws Exception {
        Path packages = folder.resolve("packages");
        Command.installPackages(
                "standalone/src/test/asyncapi", packages, "package.json", "package-lock.json", ".npmrc");
        Schema official = SchemaRegistry.withDialect(Dialects.getDraft7())
                .getSchema(new ObjectMapper()
                        .readTree(Files.readAllBytes(
                                packages.resolve("node_modules/@asyncapi/specs/schemas/3.0.0.json"))));
        JsonNode document = AsyncApi.document().json();
        assertEquals(List.of(), official.validate(document));

        ObjectNode wrong = document.deepCopy();
        wrong.withObject("/operations/sendFrames").put("action", "shout");
        assertFalse(official.validate(wrong).isEmpty(), "the schema does not look");
    }
}
