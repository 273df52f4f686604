// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.RunningVersion;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SkippedUnknownException;
import io.sfumato.topology.context.SourceTopics;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * What operators said about the records' topics, in the registry of the budget: places of records
 * that do not count, and when the topics' past was to be read. Every task reads it when it begins
 * to work, before it reads any record, so that nothing depends on how two topics interleave; an
 * entry that the budget's key did not sign says nothing.
 */
public final class OrdersLog {
  /** Keys of the entries, which {@link Registry} passes over. */
  private static final String SKIPPED = "skipped-record";

  private static final String CATCH_UP = "catch-up";

  /** In no id of a topic. */
  private static final String BETWEEN_IDS = ",";

  private static final Set<String> ORDERS = Set.of(SKIPPED, CATCH_UP);

  private final String budget;
  private final KafkaSettings settings;
  private final String keyTag;
  private final String topic;
  private final SignedLog log;

  /**
   * @param key the budget's
   */
  public OrdersLog(Pipeline pipeline, KafkaSettings settings, NoiseKey key) {
    this(pipeline.budget().name(), settings, key);
  }

  /**
   * @param key the budget's
   */
  OrdersLog(String budget, KafkaSettings settings, NoiseKey key) {
    this.budget = budget;
    this.settings = settings;
    this.keyTag = key.tag();
    this.topic = Registry.topicOf(budget);
    this.log =
        new SignedLog(
            settings,
            topic,
            TransactionalIds.of(Pipeline.applicationIdOf(budget), "skipped-records"),
            Optional.of(key.entriesOf("budget/" + budget)));
  }

  /**
   * The places that are passed over, in the order in which they were said, by a registry that is
   * there.
   *
   * @param sources the records' topics: what was said of one that was made anew since holds no more
   */
  List<RecordSpan> spans(SourceTopics sources) throws RefusedException {
    return places(entries(true), sources);
  }

  /**
   * For tasks that begin to work.
   *
   * @param sources the records' topics
   * @return reads the registry, which must be there, whenever it is asked, and throws {@link
   *     SkippedUnknownException} where it cannot
   */
  public Supplier<OperatorOrders> whenever(SourceTopics sources) {
    return () -> {
      try {
        return orders(sources);
      } catch (RefusedException e) {
        throw new SkippedUnknownException(
            "cannot read which records operators skipped (sfumato skip-record): " + e.getMessage());
      }
    };
  }

  /**
   * All that was said.
   *
   * @param sources the records' topics
   */
  public OperatorOrders read(Cluster cluster, SourceTopics sources) throws RefusedException {
    return cluster.topics().isThere(topic) ? orders(sources) : OperatorOrders.none();
  }

  private OperatorOrders orders(SourceTopics sources) throws RefusedException {
    List<SignedLog.Entry> signed = entries(true);
    OperatorOrders orders = OperatorOrders.of(places(signed, sources));
    for (SignedLog.Entry entry : signed) {
      if (entry.key().equals(CATCH_UP) && catchesUp(sources, entry)) {
        orders = orders.caughtUpAt(entry.value().path("time").asLong());
      }
    }
    return orders;
  }

  private List<SignedLog.Entry> entries(boolean mine) throws RefusedException {
    return log.read().stream()
        .filter(entry -> entry.isMine() == mine && ORDERS.contains(entry.key()))
        .toList();
  }

  /** The topic that an entry is about; nothing if it is none of these any more. */
  private static Optional<SourceTopics.Topic> about(SourceTopics sources, JsonNode value) {
    String id = value.path("source").asText();
    return sources.topics().stream().filter(topic -> topic.id().equals(id)).findFirst();
  }

  /** Whether the topics whose past was to be read are there still; others may have joined. */
  private static boolean catchesUp(SourceTopics sources, SignedLog.Entry entry) {
    List<String> said = List.of(entry.value().path("source").asText().split(BETWEEN_IDS));
    return ids(sources).containsAll(said);
  }

  private static List<String> ids(SourceTopics sources) {
    return sources.topics().stream().map(SourceTopics.Topic::id).toList();
  }

  private static List<RecordSpan> places(List<SignedLog.Entry> said, SourceTopics sources) {
    return said.stream()
        .filter(entry -> entry.key().equals(SKIPPED))
        .flatMap(entry -> place(entry.value(), sources).stream())
        .distinct()
        .toList();
  }

  /**
   * Signs what another key of the budget, or the key of a budget whose ledger goes on as this one,
   * signed, so that it holds here, too. What is there already is not written again.
   */
  void takeOver(OrdersLog former) throws RefusedException {
    log.appendExclusively(
        () -> {
          Set<SignedLog.Draft> due = new LinkedHashSet<>(former.drafts());
          due.removeAll(Set.copyOf(drafts()));
          return List.copyOf(due);
        });
  }

  /** What this key signed, in log order, to be signed by another. */
  private List<SignedLog.Draft> drafts() throws RefusedException {
    return entries(true).stream()
        .map(entry -> new SignedLog.Draft(entry.key(), (ObjectNode) entry.value()))
        .toList();
  }

  /** What this key did not sign: nobody can tell whether it is genuine. */
  List<RecordSpan> ofOthers(SourceTopics sources) throws RefusedException {
    List<RecordSpan> mine = spans(sources);
    return places(entries(false), sources).stream().filter(span -> !mine.contains(span)).toList();
  }

  /**
   * How this key stands to a budget that knows it, or knows none yet.
   *
   * @param hasBegun whether it knows any
   * @param others tags of the other noise keys of the version that runs and of one that is
   *     announced: those versions pass over only what was said with theirs
   */
  public record Standing(boolean hasBegun, Set<String> others) {}

  /**
   * Looks whether what is said with this key will be heard.
   *
   * @throws RefusedException if it will not
   */
  public Standing standing(Pipeline pipeline, Cluster cluster) throws RefusedException {
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    Set<String> tags = new TreeSet<>();
    state.runningVersion().map(RunningVersion::noiseKey).ifPresent(tags::add);
    state.announcedKey().ifPresent(tags::add);
    boolean there = cluster.topics().isThere(topic);
    // What others said of records before anything began says nothing of whose budget it is.
    List<SignedLog.Entry> entries =
        there ? log.read().stream().filter(e -> !ORDERS.contains(e.key())).toList() : List.of();
    boolean signed = entries.stream().anyMatch(SignedLog.Entry::isMine);
    Set<String> followers = there ? RegistryContents.followers(entries) : Set.of();
    boolean heard =
        tags.contains(keyTag)
            || (tags.isEmpty() ? signed || entries.isEmpty() : signed && followers.isEmpty());
    if (!heard) {
      tags.addAll(followers);
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the noise key that you gave (%s) is not that of budget '%s'%s: nothing was changed. Give the pipeline's secret"
              .formatted(
                  keyTag,
                  budget,
                  tags.isEmpty()
                      ? ""
                      : " (%s)".formatted(ControlCharEscaper.of(String.join(", ", tags)))));
    }
    tags.remove(keyTag);
    return new Standing(signed || !tags.isEmpty() || state.hasRun(), tags);
  }

  private static Optional<RecordSpan> place(JsonNode value, SourceTopics sources) {
    Optional<SourceTopics.Topic> topic = about(sources, value);
    int partition = value.path("partition").asInt(-1);
    if (topic.isEmpty() || partition < 0 || partition >= topic.get().partitions()) {
      return Optional.empty();
    }
    long first = value.path("offset").asLong();
    try {
      int source = sources.number(topic.get().name(), partition);
      return Optional.of(new RecordSpan(source, first, value.path("last").asLong(first)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Enters places, all or none, for good. */
  public void add(List<RecordSpan> places, Cluster cluster, SourceTopics sources)
      throws RefusedException {
    log.create(cluster);
    String now = Instant.now().toString();
    log.appendExclusively(
        () ->
            places.stream()
                .map(place -> new SignedLog.Draft(SKIPPED, json(place, sources, now)))
                .toList());
  }

  /**
   * Enters that the topic's past is to be read: no record is too far ahead that lies before {@code
   * time}, or as far behind it as {@code window.ahead} allows.
   *
   * @param time milliseconds since 1970
   */
  public void addCatchUp(long time, Cluster cluster, SourceTopics sources) throws RefusedException {
    log.create(cluster);
    ObjectNode value =
        JsonNodeFactory.instance
            .objectNode()
            .put("source", String.join(BETWEEN_IDS, ids(sources)))
            .put("time", time);
    log.appendExclusively(() -> List.of(new SignedLog.Draft(CATCH_UP, value)));
  }

  private static ObjectNode json(RecordSpan span, SourceTopics sources, String now) {
    TopicPartition place = sources.place(span.source());
    ObjectNode value =
        JsonNodeFactory.instance
            .objectNode()
            .put("topic", place.topic())
            .put("source", sources.topic(place.topic()).orElseThrow().id())
            .put("partition", place.partition())
            .put("offset", span.first());
    if (span.length() > 1) {
      value.put("last", span.last());
    }
    return value.put("at", now);
  }
}
