// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import io.sfumato.serde.SchemasUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Asks the instances of a registry in turn. What is not plainly an answer is asked again, then
 * nobody knows: a proxy's page of errors must not turn records into dead letters. One deadline
 * holds for all of a question: names, connections, heads and bodies, tries and pauses.
 */
final class Exchanges {
  private static final String DIALECT = "application/vnd.schemaregistry.v1+json, application/json";

  /** Threads that ask; where as many hang, in a resolver of names say, nobody is asked. */
  private static final int MOST_ASKERS = 32;

  private final RegistrySettings settings;
  private final HttpClient http;

  /** Who asks may be left waiting for ever, by a server or by the resolver of its name. */
  private final ExecutorService askers =
      new ThreadPoolExecutor(
          0, MOST_ASKERS, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), Exchanges::asker);

  Exchanges(RegistrySettings settings) {
    this.settings = settings;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            // Credentials go to the configured places and nowhere else.
            .followRedirects(HttpClient.Redirect.NEVER);
    settings.tls().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  private static Thread asker(Runnable question) {
    Thread thread = new Thread(question, "schema-registry");
    thread.setDaemon(true);
    return thread;
  }

  /** When the question that is asked now must have been answered, by {@link System#nanoTime}. */
  long deadline() {
    return System.nanoTime() + settings.longest().toNanos();
  }

  /**
   * Asks until there is an answer.
   *
   * @param body to post; empty to get
   * @param deadline of {@link #deadline}
   * @return nothing where the registry says that there is nothing
   * @throws SchemasUnavailableException if nobody could say
   */
  Optional<Answer> ask(
      String path, Optional<String> body, Predicate<Answer> isFound, long deadline) {
    String last = "the schemas that it refers to take too long";
    long pause = settings.pause().toNanos();
    for (int attempt = 0; attempt < settings.tries(); attempt++) {
      if (attempt > 0) {
        LockSupport.parkNanos(Math.min(pause, deadline - System.nanoTime()));
        pause *= 2;
      }
      if (System.nanoTime() >= deadline) {
        break;
      }
      URI url = settings.urls().get(attempt % settings.urls().size());
      try {
        Answer answer = ask(url, path, body, deadline);
        if (isFound.test(answer) || answer.isNotFound()) {
          return isFound.test(answer) ? Optional.of(answer) : Optional.empty();
        }
        last = url + " answered with status " + answer.status();
        if (answer.isConflict()) {
          throw unavailable(last + ": an incompatible schema is registered there");
        }
        if (answer.isRefused()
            && !settings.credentials().filter(RegistryCredentials::renewed).isPresent()) {
          throw unavailable(
              last
                  + "; give it 'schema.registry.basic.auth.user.info' or 'schema.registry.bearer.auth.token'");
        }
      } catch (NoTokenException e) {
        last = e.getMessage();
      } catch (IOException e) {
        last = url + " did not answer (" + e.getClass().getSimpleName() + ")";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw unavailable("interrupted");
      }
    }
    throw unavailable(last);
  }

  static SchemasUnavailableException unavailable(String why) {
    return new SchemasUnavailableException(
        "the schema registry cannot be asked: " + why + ". Nothing was taken in on a guess");
  }

  /** Whatever hangs, the name, the connection, the answer or the rest of it: not for longer. */
  private Answer ask(URI url, String path, Optional<String> body, long deadline)
      throws IOException, InterruptedException {
    Future<Answer> answer;
    try {
      answer = askers.submit(() -> ask(url, path, body));
    } catch (RejectedExecutionException e) {
      throw new IOException("too many questions hang", e);
    }
    try {
      long left = Math.min(settings.timeout().toNanos(), deadline - System.nanoTime());
      return answer.get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer in time");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private Answer ask(URI url, String path, Optional<String> body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url.toString().replaceAll("/+$", "") + path))
            .timeout(settings.timeout())
            .header("Accept", DIALECT);
    body.ifPresent(
        text ->
            request
                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    if (settings.credentials().isPresent()) {
      request.header("Authorization", settings.credentials().get().header());
    }
    HttpResponse<InputStream> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream found = response.body()) {
      return Answer.of(response.statusCode(), found.readNBytes(Answer.MOST_BYTES + 1));
    }
  }
}
