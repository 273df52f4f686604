// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;

/** An identity provider: signed tokens for who shows client id and secret, and its public keys. */
final class TokenIssuer implements AutoCloseable {
  static final String AUDIENCE = "kafka";
  private static final int KEY_BITS = 2048;

  private final HttpsServer server;
  private final RsaJsonWebKey key;
  private final String expected;
  private final String subject;
  private final int seconds;
  private final AtomicInteger issued = new AtomicInteger();

  /**
   * Starts it.
   *
   * @param client id and secret, with a colon between them
   * @param subject of the tokens
   * @param seconds that a token is valid
   */
  TokenIssuer(SSLContext tls, String client, String subject, int seconds) throws Exception {
    this.subject = subject;
    this.seconds = seconds;
    expected =
        "Basic " + Base64.getEncoder().encodeToString(client.getBytes(StandardCharsets.UTF_8));
    key = RsaJwkGenerator.generateJwk(KEY_BITS);
    key.setKeyId("key-1");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/jwks", exchange -> answer(exchange, 200, new JsonWebKeySet(key).toJson()));
    server.createContext("/oauth2/token", this::issue);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }

  String url() {
    return "https://localhost:" + server.getAddress().getPort();
  }

  int issued() {
    return issued.get();
  }

  private void issue(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))
        || !body.contains("grant_type=client_credentials")
        || !body.contains("scope=kafka")) {
      answer(exchange, 401, "{\"error\":\"invalid_client\"}");
      return;
    }
    try {
      answer(
          exchange,
          200,
          "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":%d}"
              .formatted(token(), seconds));
      issued.incrementAndGet();
    } catch (JoseException e) {
      throw new IOException(e);
    }
  }

  private String token() throws JoseException {
    JwtClaims claims = new JwtClaims();
    claims.setSubject(subject);
    claims.setAudience(AUDIENCE);
    claims.setIssuedAtToNow();
    claims.setExpirationTimeMinutesInTheFuture(seconds / 60f);
    claims.setStringClaim("scope", "kafka");
    JsonWebSignature jws = new JsonWebSignature();
    jws.setPayload(claims.toJson());
    jws.setKey(key.getPrivateKey());
    jws.setKeyIdHeaderValue(key.getKeyId());
    jws.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
    return jws.getCompactSerialization();
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
