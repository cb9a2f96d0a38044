package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.access.KeyAccess;
import dev.tidings.testkit.InMemoryTidings;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Protocols B and C: who is let in, before any upgrade. */
class FaceDoorTest {
    private final InMemoryTidings tidings = new InMemoryTidings();
    private final KeyAccess keys = new KeyAccess(tidings.apiKeys(), Optional.empty());
    private final ApiKeySecret secret = ApiKeySecret.random();
    private final ApiKey key = new ApiKey(secret.id(), "label", new ApiKeyScope.All(), 1);
    private final List<HttpServletRequest> passed = new ArrayList<>();
    private final Origins origins = new Origins(List.of("https://desk.example"));

    FaceDoorTest() {
        tidings.transactions().run(() -> tidings.apiKeysWriter().create(key, secret.sha256()));
    }

    private FaceDoor door(Auth auth) {
        return new FaceDoor(true, auth, origins, () -> keys);
    }

    private HandRequest asked(FaceDoor door, HandRequest request) throws Exception {
        passed.clear();
        door.filter(
                request.request(), request.response(), (through, response) -> passed.add((HttpServletRequest) through));
        return request;
    }

    private static HandRequest request() {
        return new HandRequest().header("Host", "127.0.0.1:3051");
    }

    private void assertRefused(HttpRefusal refusal, HandRequest request) {
        assertEquals(List.of(), passed);
        assertEquals(refusal.status(), request.status);
        assertTrue(request.body().contains("\"code\":\"" + refusal.code() + "\""), request.body());
        assertEquals("close", request.answered.get("Connection"));
        assertFalse(request.body().contains("tdg_"));
    }

    @Test
    void filter_keyPresented_goesOnAsIt() throws Exception {
        for (HandRequest request : List.of(
                request().header("Authorization", "Bearer " + secret.text()),
                request().header("authorization", "bearer  " + secret.text()),
                request().header("Sec-WebSocket-Protocol", "tidings.commands, bearer." + secret.text()),
                request().header("Sec-WebSocket-Protocol", "bearer." + secret.text()),
                withQuery("cursor=3&api_key=" + secret.text()),
                withQuery("api_key=" + secret.text().replace("_", "%5F")))) {
            asked(door(Auth.API_KEY), request);
            assertEquals(1, passed.size());
            Principal principal = passed.get(0).getUserPrincipal();
            assertEquals(new KeyPrincipal(key), principal);
            assertEquals("api-key:" + key.id(), passed.get(0).getRemoteUser());
            assertFalse((principal + passed.get(0).getRemoteUser()).contains(secret.text()));
        }
    }

    private static HandRequest withQuery(String query) {
        HandRequest request = request();
        request.query = query;
        return request;
    }

    @Test
    void filter_noKeyOrAWrongOne_is401() throws Exception {
        for (HandRequest request : List.of(
                request(),
                request().header("Authorization", "Basic " + secret.text()),
                request().header("Authorization", secret.text()),
                request().header("Authorization", "Bearer "),
                request()
                        .header(
                                "Authorization",
                                "Bearer " + ApiKeySecret.random().text()),
                request().header("Sec-WebSocket-Protocol", "tidings.commands"),
                withQuery("api_key=" + secret.text() + "x"),
                withQuery("api_key=%zz"),
                withQuery("API_KEY=" + secret.text()),
                withQuery("api_key"))) {
            assertRefused(HttpRefusal.UNAUTHORIZED, asked(door(Auth.API_KEY), request));
            assertEquals("Bearer", request.answered.get("WWW-Authenticate"));
        }
    }

    @Test
    void filter_revokedKey_is401() throws Exception {
        tidings.transactions().run(() -> tidings.apiKeysWriter().revoke(key.id()));
        assertRefused(
                HttpRefusal.UNAUTHORIZED,
                asked(door(Auth.API_KEY), request().header("Authorization", "Bearer " + secret.text())));
    }

    /** Law 6: if nobody knows, nobody is let in. */
    @Test
    void filter_keysUnknown_is503() throws Exception {
        FaceDoor broken = new FaceDoor(true, Auth.API_KEY, origins, () -> {
            throw new IllegalStateException("secret detail");
        });
        assertRefused(
                HttpRefusal.UNAVAILABLE, asked(broken, request().header("Authorization", "Bearer " + secret.text())));
    }

    @ParameterizedTest
    @EnumSource(Auth.class)
    void filter_pageOfAnotherOrigin_is403WhateverItPresents(Auth auth) throws Exception {
        for (String origin : List.of("https://evil.example", "null", "http://127.0.0.1:80", "")) {
            HandRequest request =
                    request().header("Authorization", "Bearer " + secret.text()).header("Origin", origin);
            request.principal = new KeyPrincipal(key);
            assertRefused(HttpRefusal.FORBIDDEN_ORIGIN, asked(door(auth), request));
            assertNull(request.answered.get("Access-Control-Allow-Origin"));
        }
        assertRefused(
                HttpRefusal.FORBIDDEN_ORIGIN,
                asked(
                        door(auth),
                        request().header("Origin", "http://127.0.0.1:3051").header("Origin", "https://evil.example")));
    }

    /** Scripts and images of a page come without an origin, and a browser tells where the page is from all the same. */
    @ParameterizedTest
    @EnumSource(Auth.class)
    void filter_pageOfAnotherSiteWithoutAnOrigin_is403(Auth auth) throws Exception {
        for (String site : List.of("cross-site", "same-site", "", "new-word")) {
            HandRequest request =
                    request().header("Authorization", "Bearer " + secret.text()).header("Sec-Fetch-Site", site);
            request.principal = new KeyPrincipal(key);
            assertRefused(HttpRefusal.FORBIDDEN_ORIGIN, asked(door(auth), request));
        }
        for (String site : List.of("same-origin", "none")) {
            HandRequest request =
                    request().header("Authorization", "Bearer " + secret.text()).header("Sec-Fetch-Site", site);
            request.principal = new KeyPrincipal(key);
            assertEquals(200, asked(door(auth), request).status);
        }
        HandRequest listed = request()
                .header("Authorization", "Bearer " + secret.text())
                .header("Origin", "https://desk.example")
                .header("Sec-Fetch-Site", "cross-site");
        listed.principal = new KeyPrincipal(key);
        assertEquals(200, asked(door(auth), listed).status);
    }

    @Test
    void filter_ownOrListedOrigin_goesOnAndMayRead() throws Exception {
        for (String origin : List.of("http://127.0.0.1:3051", "https://desk.example")) {
            HandRequest request = asked(door(Auth.NONE), request().header("Origin", origin));
            assertEquals(1, passed.size());
            assertEquals(origin, request.answered.get("Access-Control-Allow-Origin"));
        }
    }

    @Test
    void filter_preflightOfAListedOrigin_isAnsweredWithoutAKey() throws Exception {
        HandRequest request = request().header("Origin", "https://desk.example");
        request.method = "OPTIONS";
        asked(door(Auth.API_KEY), request);
        assertEquals(204, request.status);
        assertEquals(List.of(), passed);
        assertEquals("Authorization, Content-Type", request.answered.get("Access-Control-Allow-Headers"));
    }

    /** A page may point a name of its own at this machine. */
    @Test
    void filter_noneUnderAnotherName_is403() throws Exception {
        for (String host : List.of("evil.example:3051", "", "10.0.0.1")) {
            HandRequest request = new HandRequest().header("Host", host).header("Origin", "http://" + host);
            assertRefused(HttpRefusal.FORBIDDEN_HOST, asked(door(Auth.NONE), request));
        }
        assertRefused(HttpRefusal.FORBIDDEN_HOST, asked(door(Auth.NONE), new HandRequest()));
        asked(door(Auth.NONE), new HandRequest().header("Host", "localhost"));
        assertEquals(1, passed.size());
    }

    @Test
    void filter_container_needsItsPrincipal() throws Exception {
        assertRefused(HttpRefusal.LOGIN_REQUIRED, asked(door(Auth.CONTAINER), request()));
        HandRequest request = request();
        request.principal = () -> "alice";
        asked(door(Auth.CONTAINER), request);
        assertEquals("alice", passed.get(0).getUserPrincipal().getName());
    }

    @Test
    void filter_switchedOff_is404() throws Exception {
        FaceDoor off = new FaceDoor(false, Auth.NONE, origins, () -> keys);
        assertRefused(HttpRefusal.NOT_FOUND, asked(off, request()));
    }
}
