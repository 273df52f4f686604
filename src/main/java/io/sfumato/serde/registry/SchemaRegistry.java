// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * A schema registry in Confluent's REST dialect. Schemas are kept for good, since an id never
 * changes its meaning; that an id is unknown is kept for a minute. What is not plainly an answer is
 * asked again, then nobody knows: a proxy's page of errors must not turn records into dead letters.
 */
public final class SchemaRegistry implements SchemaSource {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DIALECT = "application/vnd.schemaregistry.v1+json, application/json";
  private static final int MOST_BYTES = 5 << 20;
  private static final int MOST_KEPT = 10_000;
  private static final int DEEPEST_REFERENCE = 10;
  private static final long UNKNOWN_FOR = Duration.ofMinutes(1).toNanos();

  /** Schema, subject or version not found. */
  private static final int LEAST_NOT_FOUND = 40_401;

  private static final int MOST_NOT_FOUND = 40_403;

  private final RegistrySettings settings;
  private final HttpClient http;

  /** Who asks may be left waiting for ever, by a server or by the resolver of its name. */
  private final ExecutorService askers = Executors.newCachedThreadPool(SchemaRegistry::asker);

  private final Map<Integer, Optional<Schema>> known = new ConcurrentHashMap<>();

  /** Ids of this program's own schemas, by their names. */
  private final Map<String, Integer> registered = new ConcurrentHashMap<>();

  /** Ids that nobody knew, and when they were asked for. */
  private final Map<Integer, Long> unknown = new ConcurrentHashMap<>();

  public SchemaRegistry(RegistrySettings settings) {
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

  /** When the question that is asked now must have been answered. */
  private long deadline() {
    return System.nanoTime() + settings.longest().toNanos();
  }

  @Override
  public Optional<Schema> byId(int id) {
    Optional<Schema> kept = known.get(id);
    if (kept != null) {
      return kept;
    }
    Long asked = unknown.get(id);
    if (asked != null && System.nanoTime() - asked < UNKNOWN_FOR) {
      return Optional.empty();
    }
    long deadline = deadline();
    Optional<JsonNode> found = get("/schemas/ids/" + id, deadline);
    if (found.isEmpty()) {
      remember(unknown, id, System.nanoTime());
      return Optional.empty();
    }
    Optional<Schema> schema = schema(found.get(), deadline);
    remember(known, id, schema);
    unknown.remove(id);
    return schema;
  }

  /**
   * The latest schema of a subject.
   *
   * @return nothing if the subject has none
   * @throws SchemasUnavailableException if nobody could say
   */
  public Optional<Schema> latest(String subject) {
    long deadline = deadline();
    return get("/subjects/" + encoded(subject) + "/versions/latest", deadline)
        .flatMap(answer -> schema(answer, deadline));
  }

  /**
   * Registers a schema under a subject, where it may be already, so that it can be written.
   *
   * @throws SchemasUnavailableException if nobody could say, or the registry refuses it
   */
  public void register(String subject, Schema schema) {
    String body = JSON.createObjectNode().put("schema", schema.toString()).toString();
    JsonNode answer =
        ask(
                "/subjects/" + encoded(subject) + "/versions",
                Optional.of(body),
                Answer::hasId,
                deadline())
            .orElseThrow(() -> unavailable("it has no place for subject '" + subject + "'"));
    // Every id of a schema leads to the same schema.
    registered.putIfAbsent(schema.getFullName(), answer.path("id").asInt());
  }

  @Override
  public int idOf(Schema schema) {
    Integer id = registered.get(schema.getFullName());
    return id == null ? SchemaSource.super.idOf(schema) : id;
  }

  /** A bounded memory: whoever invents ids must not fill it. */
  private static <T> void remember(Map<Integer, T> memory, int id, T what) {
    if (memory.size() >= MOST_KEPT) {
      memory.clear();
    }
    memory.put(id, what);
  }

  /** Empty where it is no Avro schema: of another kind, or broken. */
  private Optional<Schema> schema(JsonNode answer, long deadline) {
    if (!answer.path("schemaType").asText("AVRO").equals("AVRO")) {
      return Optional.empty();
    }
    Schema.Parser parser = new Schema.Parser();
    try {
      return Optional.of(parsed(answer, parser, 0, deadline));
    } catch (AvroRuntimeException e) {
      return Optional.empty();
    }
  }

  /** With the schemas that it refers to. */
  private Schema parsed(JsonNode answer, Schema.Parser parser, int depth, long deadline) {
    if (depth > DEEPEST_REFERENCE) {
      throw new AvroRuntimeException("references go too deep");
    }
    for (JsonNode reference : answer.path("references")) {
      if (!parser.getTypes().containsKey(reference.path("name").asText())) {
        String path =
            "/subjects/%s/versions/%d"
                .formatted(
                    encoded(reference.path("subject").asText()), reference.path("version").asInt());
        parsed(
            get(path, deadline)
                .orElseThrow(() -> new AvroRuntimeException("a reference leads nowhere")),
            parser,
            depth + 1,
            deadline);
      }
    }
    return parser.parse(answer.path("schema").asText());
  }

  private static String encoded(String subject) {
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Empty where the registry says that there is nothing. */
  private Optional<JsonNode> get(String path, long deadline) {
    return ask(path, Optional.empty(), Answer::hasSchema, deadline);
  }

  /**
   * @param body to post; empty to get
   */
  private Optional<JsonNode> ask(
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
          return isFound.test(answer) ? Optional.of(answer.body()) : Optional.empty();
        }
        last = url + " answered with status " + answer.status();
        if (answer.isConflict()) {
          throw unavailable(last + ": an incompatible schema is registered there");
        }
        if (answer.isRefused()) {
          throw unavailable(last + "; give it 'schema.registry.basic.auth.user.info'");
        }
      } catch (IOException e) {
        last = url + " did not answer (" + e.getClass().getSimpleName() + ")";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw unavailable("interrupted");
      }
    }
    throw unavailable(last);
  }

  private static SchemasUnavailableException unavailable(String why) {
    return new SchemasUnavailableException(
        "the schema registry cannot be asked: " + why + ". Nothing was taken in on a guess");
  }

  /** Whatever hangs, the name, the connection, the answer or the rest of it: not for longer. */
  private Answer ask(URI url, String path, Optional<String> body, long deadline)
      throws IOException, InterruptedException {
    Future<Answer> answer = askers.submit(() -> ask(url, path, body));
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
    settings
        .credentials()
        .ifPresent(
            user ->
                request.header(
                    "Authorization",
                    "Basic "
                        + Base64.getEncoder()
                            .encodeToString(user.getBytes(StandardCharsets.UTF_8))));
    HttpResponse<InputStream> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream found = response.body()) {
      byte[] bytes = found.readNBytes(MOST_BYTES + 1);
      return new Answer(response.statusCode(), bytes.length > MOST_BYTES ? null : read(bytes));
    }
  }

  private static JsonNode read(byte[] bytes) throws IOException {
    try {
      return JSON.readTree(bytes);
    } catch (JacksonException e) {
      return null;
    }
  }

  /**
   * @param body JSON; null if it is none
   */
  private record Answer(int status, JsonNode body) {
    boolean hasSchema() {
      return status == 200 && body != null && body.path("schema").isTextual();
    }

    boolean hasId() {
      return status == 200 && body != null && body.path("id").isInt();
    }

    boolean isConflict() {
      return status == 409 || status == 422;
    }

    /** By the registry itself, which gives a code of its own: not by a wrong path or a proxy. */
    boolean isNotFound() {
      int code = body == null ? 0 : body.path("error_code").asInt();
      return status == 404 && code >= LEAST_NOT_FOUND && code <= MOST_NOT_FOUND;
    }

    boolean isRefused() {
      return status == 401 || status == 403;
    }
  }
}
