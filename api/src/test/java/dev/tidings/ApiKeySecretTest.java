package dev.tidings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiKeySecretTest {

    @Test
    void random_many_haveTheShape256BitsAndDiffer() {
        Set<String> texts = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            ApiKeySecret secret = ApiKeySecret.random();
            assertEquals(ApiKeySecret.LENGTH, secret.text().length());
            assertTrue(secret.text().startsWith("tdg_" + secret.id() + "_"));
            assertEquals(32, Base64.getUrlDecoder().decode(secret.text().substring(21)).length);
            assertTrue(texts.add(secret.text()));
        }
    }

    @Test
    void parse_itsText_isTheSameKey() {
        ApiKeySecret secret = ApiKeySecret.random();
        ApiKeySecret parsed = ApiKeySecret.parse(secret.text()).orElseThrow();
        assertEquals(secret.id(), parsed.id());
        assertArrayEquals(secret.sha256(), parsed.sha256());
    }

    @Test
    void parse_anythingElse_isNoKey() {
        String text = ApiKeySecret.random().text();
        for (String wrong : List.of(
                "",
                text + "\n",
                " " + text,
                text.substring(1),
                text + "A",
                text.replace("tdg_", "TDG_"),
                text.substring(0, 63) + "=",
                text.substring(0, 63) + "\u0000")) {
            assertEquals(Optional.empty(), ApiKeySecret.parse(wrong), wrong);
        }
    }

    @Test
    void sha256_otherSecretOfTheSameName_differs() {
        ApiKeySecret secret = ApiKeySecret.random();
        char last = secret.text().charAt(63);
        ApiKeySecret other = ApiKeySecret.parse(secret.text().substring(0, 63) + (last == 'A' ? 'E' : 'A'))
                .orElseThrow();
        assertEquals(secret.id(), other.id());
        assertFalse(java.util.Arrays.equals(secret.sha256(), other.sha256()));
    }

    /** Law 9: secrets reach no log. */
    @Test
    void toString_neverShowsTheSecret() {
        ApiKeySecret secret = ApiKeySecret.random();
        assertEquals("ApiKeySecret[" + secret.id() + "]", secret.toString());
    }

    @Test
    void scope_includes_whatItNames() {
        assertTrue(new ApiKeyScope.All().includes("s", "a"));
        assertTrue(new ApiKeyScope.OfAgent("a").includes("s", "a"));
        assertFalse(new ApiKeyScope.OfAgent("a").includes("s", "b"));
        assertTrue(new ApiKeyScope.OfSession("s").includes("s", "b"));
        assertFalse(new ApiKeyScope.OfSession("s").includes("a", "s"));
    }
}
