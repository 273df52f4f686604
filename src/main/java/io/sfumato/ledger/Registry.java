// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the pipelines of one cluster must know of each other, in a topic of one partition: the
 * shares that budgets claimed of accounts, which ledgers are sealed, and where they went on: what
 * stands first in the log holds. And the file that a budget was started with. Public facts alone.
 */
public final class Registry {
  /** The topic. */
  public static final String TOPIC = "sfumato-accounts";

  /** Instances of one pipeline may all start at once. */
  private static final int ATTEMPTS = 12;

  /** Doubles with every attempt; how much of it is waited is drawn. */
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CLAIM = "claim/";
  private static final String SEALED = "sealed/";
  private static final String CONTINUED = "continued/";
  private static final String PIPELINE = "pipeline/";
  private static final String STARTED = "started/";

  private final KafkaSettings settings;

  public Registry(KafkaSettings settings) {
    this.settings = settings;
  }

  /**
   * What the log says.
   *
   * @param claims of accounts, in log order
   * @param sealed when each sealed budget was sealed
   * @param continued for a sealed budget the one that it goes on as
   * @param pipelines for a pipeline the budget that it first ran on
   * @param starts by budget, the file that it was started with
   */
  public record Contents(
      List<Claim> claims,
      Map<String, String> sealed,
      Map<String, String> continued,
      Map<String, String> pipelines,
      Map<String, Started> starts) {
    /** What a budget was started with. */
    public Optional<Started> started(String budget) {
      return Optional.ofNullable(starts.get(budget));
    }

    /** The budget that a pipeline runs on now: the first one, or what that goes on as. */
    public Optional<String> budgetOf(String pipeline) {
      String budget = pipelines.get(pipeline);
      // No more steps than there are: a forged log may go round in circles.
      for (int step = 0; step < continued.size() && continued.containsKey(budget); step++) {
        budget = continued.get(budget);
      }
      return Optional.ofNullable(budget);
    }

    /** Whether a budget's ledger was exported. */
    public boolean isSealed(String budget) {
      return sealed.containsKey(budget);
    }
  }

  /**
   * The file that a budget was started with.
   *
   * @param digest of what the file plans, hexadecimal
   * @param noiseKey tag of the noise key
   * @param at when it was entered, in milliseconds since 1970
   */
  public record Started(String budget, int version, String digest, String noiseKey, long at) {
    static Started of(Plan plan, String noiseKey) {
      return new Started(
          plan.pipeline().budget().name(),
          plan.pipeline().version(),
          plan.digestText(),
          noiseKey,
          System.currentTimeMillis());
    }

    /** Whether it is the same file with the same key. */
    boolean isSame(Started other) {
      return budget.equals(other.budget)
          && version == other.version
          && digest.equals(other.digest)
          && noiseKey.equals(other.noiseKey);
    }

    private String key() {
      return STARTED + budget;
    }

    private ObjectNode json() {
      return JSON.createObjectNode()
          .put("budget", budget)
          .put("version", version)
          .put("file", digest)
          .put("key", noiseKey);
    }

    private static Optional<Started> read(JsonNode value, long at) {
      boolean ours = value.path("budget").isTextual() && value.path("version").isInt();
      return ours
          ? Optional.of(
              new Started(
                  value.path("budget").asText(),
                  value.path("version").asInt(),
                  value.path("file").asText(),
                  value.path("key").asText(),
                  at))
          : Optional.empty();
    }
  }

  /** Creates the topic unless it is there. */
  public void create(Cluster cluster) throws RefusedException {
    cluster.createCompacted(TOPIC);
  }

  /** Reads the log. */
  public Contents read() throws RefusedException {
    List<Claim> claims = new ArrayList<>();
    Map<String, String> sealed = new HashMap<>();
    Map<String, String> continued = new HashMap<>();
    Map<String, String> pipelines = new HashMap<>();
    Contents contents = new Contents(claims, sealed, continued, pipelines, new HashMap<>());
    new OutputReader(settings)
        .read(
            List.of(TOPIC),
            OutputReader.Ending.AT_END,
            record -> {
              if (record.key() != null && record.value() != null) {
                take(record, contents);
              }
              return true;
            });
    return contents;
  }

  private static void take(ConsumerRecord<byte[], byte[]> record, Contents contents) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    Optional<JsonNode> value = parse(record.value());
    if (value.isEmpty()) {
      return;
    }
    if (key.startsWith(SEALED)) {
      contents
          .sealed()
          .putIfAbsent(key.substring(SEALED.length()), value.get().path("at").asText());
    } else if (key.startsWith(CONTINUED)) {
      contents
          .continued()
          .putIfAbsent(key.substring(CONTINUED.length()), value.get().path("by").asText());
    } else if (key.startsWith(PIPELINE)) {
      contents
          .pipelines()
          .putIfAbsent(key.substring(PIPELINE.length()), value.get().path("budget").asText());
    } else if (key.startsWith(STARTED)) {
      Started.read(value.get(), record.timestamp())
          .ifPresent(start -> contents.starts().put(start.budget(), start));
    } else if (key.startsWith(CLAIM)) {
      claim(key.substring(CLAIM.length()), value.get())
          .filter(found -> contents.claims().stream().noneMatch(found::isOfSameBudget))
          .ifPresent(contents.claims()::add);
    }
  }

  private static Optional<JsonNode> parse(byte[] value) {
    try {
      return Optional.of(JSON.readTree(value));
    } catch (IOException e) {
      return Optional.empty(); // not ours: it claims nothing
    }
  }

  private static Optional<Claim> claim(String key, JsonNode value) {
    int slash = key.indexOf('/');
    try {
      return Optional.of(
          new Claim(
              new AccountSpec(
                  key.substring(0, slash),
                  Epsilon.of(value.path("account_epsilon").asText()),
                  Delta.of(value.path("account_delta").asText())),
              key.substring(slash + 1),
              value.path("unit").asText(),
              value.path("period").asText(),
              Epsilon.of(value.path("epsilon").asText()),
              Delta.of(value.path("delta").asText())));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /**
   * Takes a budget's share of its account, once and for all, or finds that it did so before.
   *
   * @throws RefusedException if the account does not cover it, or the file contradicts the claim
   */
  public void claim(BudgetSpec budget) throws RefusedException {
    if (budget.account().isEmpty()) {
      return;
    }
    Claim mine = Claim.of(budget, budget.account().get());
    Contents found = read();
    if (found.claims().stream().anyMatch(mine::isOfSameBudget)) {
      Accounts.require(mine, found.claims(), found.continued());
      return;
    }
    alone(
        mine.account().name(),
        producer -> {
          Contents contents = read();
          Optional<Claim> before =
              contents.claims().stream().filter(mine::isOfSameBudget).findFirst();
          List<Claim> all = new ArrayList<>(contents.claims());
          if (before.isEmpty()) {
            all.add(mine);
          }
          Accounts.require(mine, all, contents.continued());
          if (before.isEmpty()) {
            producer.send(record(CLAIM + mine.account().name() + "/" + mine.budget(), json(mine)));
          }
        });
  }

  private static ObjectNode json(Claim claim) {
    return JSON.createObjectNode()
        .put("account_epsilon", claim.account().epsilon().toString())
        .put("account_delta", claim.account().delta().toString())
        .put("unit", claim.unit())
        .put("period", claim.period())
        .put("epsilon", claim.epsilon().toString())
        .put("delta", claim.delta().toString());
  }

  /** Remembers, once and for all, which budget a pipeline first ran on. */
  public void enter(String pipeline, String budget) throws RefusedException {
    alone(
        "pipeline-" + pipeline,
        producer -> {
          if (read().budgetOf(pipeline).isEmpty()) {
            producer.send(
                record(PIPELINE + pipeline, JSON.createObjectNode().put("budget", budget)));
          }
        });
  }

  /** Remembers what a budget is started with, unless somebody was faster. */
  void enter(Started start, Optional<Started> before) throws RefusedException {
    alone(
        "started-" + start.budget(),
        producer -> {
          if (read().started(start.budget()).equals(before)) {
            producer.send(record(start.key(), start.json()));
          }
        });
  }

  /** Marks a ledger as exported: its application never starts again. */
  public void seal(String budget, String at) throws RefusedException {
    alone(
        "seal-" + budget,
        producer -> {
          if (!read().isSealed(budget)) {
            producer.send(record(SEALED + budget, JSON.createObjectNode().put("at", at)));
          }
        });
  }

  /** Says where a sealed ledger goes on, unless it is said already. */
  void goOn(String from, String to, String digest) throws RefusedException {
    alone(
        "continued-" + from,
        producer -> {
          if (!read().continued().containsKey(from)) {
            producer.send(
                record(
                    CONTINUED + from, JSON.createObjectNode().put("by", to).put("digest", digest)));
          }
        });
  }

  private static ProducerRecord<byte[], byte[]> record(String key, ObjectNode value) {
    try {
      return new ProducerRecord<>(
          TOPIC, 0, key.getBytes(StandardCharsets.UTF_8), JSON.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing JSON to memory failed", e);
    }
  }

  private interface Step {
    void run(KafkaProducer<byte[], byte[]> producer) throws RefusedException;
  }

  /** Reads and writes with nobody in between: whoever comes later fences those before. */
  private void alone(String name, Step step) throws RefusedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt(name, step)) {
        return;
      }
      // Those who fenced each other out would do so again, if they came back together.
      long longest = SHORTEST_WAIT.toMillis() << Math.min(attempt, 5);
      Cluster.pause(Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest)));
    }
    throw new RefusedException(
        ExitCode.FAILED, "other instances write to " + TOPIC + " all the time; start again");
  }

  /** False if somebody came in between. */
  private boolean attempt(String name, Step step) throws RefusedException {
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "sfumato-registry-" + name);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      try {
        step.run(producer);
      } catch (RefusedException e) {
        producer.abortTransaction();
        throw e;
      }
      producer.commitTransaction();
      return true;
    } catch (ProducerFencedException | InvalidProducerEpochException | InvalidTxnStateException e) {
      // The last one: the other's start has ended this transaction, and its commit finds none.
      return false;
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot write to %s at %s: %s"
              .formatted(TOPIC, settings.bootstrapServers(), e.getMessage()));
    }
  }
}
