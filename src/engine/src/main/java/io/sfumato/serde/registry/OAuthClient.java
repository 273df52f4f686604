// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sfumato.serde.ForeignBytes;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * Client credentials of OAuth 2.0 (RFC 6749, section 4.4): an issuer gives tokens that end. A token
 * is kept until shortly before its end, or until a registry refuses it.
 */
public final class OAuthClient implements RegistryCredentials {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of a token whose issuer does not say when it ends. */
  private static final long USUAL_SECONDS = 300;

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** RFC 6750: it stands in a header. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  private final URI issuer;
  private final String client;
  private final String secret;
  private final Optional<String> scope;
  private final HttpClient http;

  /** Null without one. */
  private String token;

  /** By {@link System#nanoTime}. */
  private long end;

  /**
   * A client of an issuer.
   *
   * @param issuer endpoint that gives tokens
   * @param client its id
   * @param secret of the client
   * @param scope that is asked for
   * @param tls where the platform's own trust is not enough
   */
  public OAuthClient(
      URI issuer, String client, String secret, Optional<String> scope, Optional<SSLContext> tls) {
    this.issuer = issuer;
    this.client = client;
    this.secret = secret;
    this.scope = scope;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            // The secret goes to the configured place and nowhere else.
            .followRedirects(HttpClient.Redirect.NEVER);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** Where tokens come from. */
  public URI issuer() {
    return issuer;
  }

  @Override
  public synchronized String header() throws IOException, InterruptedException {
    if (token == null || System.nanoTime() - end >= 0) {
      fetch();
    }
    return "Bearer " + token;
  }

  @Override
  public synchronized boolean renewed() {
    boolean had = token != null;
    token = null;
    return had;
  }

  private void fetch() throws IOException, InterruptedException {
    token = null;
    String proof = client + ":" + secret;
    HttpRequest request =
        HttpRequest.newBuilder(issuer)
            .header("Accept", "application/json")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(proof.getBytes(StandardCharsets.UTF_8)))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "grant_type=client_credentials"
                        + scope.map(name -> "&scope=" + encoded(name)).orElse("")))
            .build();
    HttpResponse<byte[]> response = send(request);
    keep(response.statusCode(), response.body());
  }

  /** Whatever hangs, the name, the connection, the head or the body: not for longer. */
  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    try {
      return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      throw new NoTokenException(
          "the token issuer %s did not answer (%s)"
              .formatted(issuer, cause.getClass().getSimpleName()));
    } finally {
      answer.cancel(true);
    }
  }

  private void keep(int status, byte[] body) throws NoTokenException {
    JsonNode answer =
        ForeignBytes.ifReadable(() -> JSON.readTree(body)).orElse(MissingNode.getInstance());
    String found = answer.path("access_token").asText();
    if (status != 200 || !TOKEN.matcher(found).matches()) {
      throw new NoTokenException(
          "the token issuer %s answered with status %d and without a token; check 'schema.registry.bearer.auth.client.id', 'client.secret' and 'scope'"
              .formatted(issuer, status));
    }
    long seconds = answer.path("expires_in").asLong(USUAL_SECONDS);
    // A fifth before its end, so that it is still valid when it arrives.
    end =
        System.nanoTime()
            + Duration.ofSeconds(Math.max(0, Math.min(seconds, 86_400))).toMillis() * 800_000L;
    token = found;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "OAuth";
  }
}
