// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.RegisteredSchema;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import io.sfumato.serde.WeighedCache;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/**
 * A schema registry in Confluent's REST dialect. Schemas are kept as long as there is room, since
 * an id never changes its meaning; that an id is unknown is kept for a minute. A schema that cannot
 * be used, for whatever reason, is none.
 */
public final class SchemaRegistry implements SchemaSource {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Of all schemas that are kept, as the registry writes them; parsed they take twenty times it.
   */
  static final int MOST_BYTES_KEPT = 4 << 20;

  /** That there is none takes room too. */
  private static final int BYTES_OF_AN_ENTRY = 200;

  private static final int MOST_UNKNOWN = 10_000;
  private static final long UNKNOWN_FOR = Duration.ofMinutes(1).toNanos();

  private final Exchanges exchanges;
  private final WeighedCache<Integer, Optional<RegisteredSchema>> known =
      new WeighedCache<>(MOST_BYTES_KEPT);

  /** Ids of this program's own schemas, by their names. */
  private final Map<String, Integer> registered = new ConcurrentHashMap<>();

  /** Ids that nobody knew, and when they were asked for: whoever invents ids must not fill it. */
  private final WeighedCache<Integer, Long> unknown = new WeighedCache<>(MOST_UNKNOWN);

  public SchemaRegistry(RegistrySettings settings) {
    this.exchanges = new Exchanges(settings);
  }

  @Override
  public Optional<Schema> byId(int id) {
    return ofAnyType(id).flatMap(SchemaRegistry::avro);
  }

  private static Optional<Schema> avro(RegisteredSchema schema) {
    return schema instanceof RegisteredSchema.Avro avro
        ? Optional.of(avro.schema())
        : Optional.empty();
  }

  @Override
  public Optional<RegisteredSchema> ofAnyType(int id) {
    Optional<Optional<RegisteredSchema>> kept = known.get(id);
    if (kept.isPresent()) {
      return kept.get();
    }
    Optional<Long> asked = unknown.get(id);
    if (asked.isPresent() && System.nanoTime() - asked.get() < UNKNOWN_FOR) {
      return Optional.empty();
    }
    SchemaQuestion question = new SchemaQuestion(exchanges);
    Optional<Answer> found = question.get("/schemas/ids/" + id);
    if (found.isEmpty()) {
      unknown.put(id, System.nanoTime(), 1);
      return Optional.empty();
    }
    Optional<RegisteredSchema> schema = ForeignBytes.ifReadable(() -> question.parsed(found.get()));
    known.put(id, schema, BYTES_OF_AN_ENTRY + schema.map(parsed -> question.bytes()).orElse(0L));
    unknown.remove(id);
    return schema;
  }

  /**
   * The latest schema of a subject.
   *
   * @return nothing if the subject has none, or none that can be used
   * @throws SchemasUnavailableException if nobody could say
   */
  public Optional<RegisteredSchema> latest(String subject) {
    SchemaQuestion question = new SchemaQuestion(exchanges);
    return question
        .get("/subjects/" + SchemaQuestion.encoded(subject) + "/versions/latest")
        .flatMap(answer -> ForeignBytes.ifReadable(() -> question.parsed(answer)));
  }

  /**
   * Registers a schema under a subject, where it may be already, so that it can be written.
   *
   * @throws SchemasUnavailableException if nobody could say, or the registry refuses it
   */
  public void register(String subject, Schema schema) {
    String body = JSON.createObjectNode().put("schema", schema.toString()).toString();
    Answer answer =
        exchanges
            .ask(
                "/subjects/" + SchemaQuestion.encoded(subject) + "/versions",
                Optional.of(body),
                Answer::hasId,
                exchanges.deadline())
            .orElseThrow(
                () -> Exchanges.unavailable("it has no place for subject '" + subject + "'"));
    // Every id of a schema leads to the same schema.
    registered.putIfAbsent(schema.getFullName(), answer.body().path("id").asInt());
  }

  @Override
  public int idOf(Schema schema) {
    Integer id = registered.get(schema.getFullName());
    return id == null ? SchemaSource.super.idOf(schema) : id;
  }

  /** Bytes of the schemas that are kept. */
  long bytesKept() {
    return known.weight();
  }
}
