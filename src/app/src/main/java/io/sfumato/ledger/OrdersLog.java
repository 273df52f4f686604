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
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What operators said about the records' topic, in the registry of the budget: places of records
 * that do not count, and when the topic's past was to be read. Every task reads it when it begins
 * to work, before it reads any record, so that nothing depends on how two topics interleave; an
 * entry that the budget's key did not sign says nothing.
 */
public final class OrdersLog {
  /** Keys of the entries, which {@link Registry} passes over. */
  private static final String SKIPPED = "skipped-record";

  private static final String CATCH_UP = "catch-up";
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
   * @param source the records' topic: what was said of one that was made anew since holds no more
   */
  List<RecordSpan> spans(Cluster.Source source) throws RefusedException {
    return places(entries(true), source);
  }

  /**
   * For tasks that begin to work.
   *
   * @param source the records' topic
   * @return reads the registry, which must be there, whenever it is asked, and throws {@link
   *     SkippedUnknownException} where it cannot
   */
  public Supplier<OperatorOrders> whenever(Cluster.Source source) {
    return () -> {
      try {
        return orders(source);
      } catch (RefusedException e) {
        throw new SkippedUnknownException(
            "cannot read which records operators skipped (sfumato skip-record): " + e.getMessage());
      }
    };
  }

  /**
   * All that was said.
   *
   * @param source the records' topic
   */
  public OperatorOrders read(Cluster cluster, Cluster.Source source) throws RefusedException {
    return cluster.topics().isThere(topic) ? orders(source) : OperatorOrders.none();
  }

  private OperatorOrders orders(Cluster.Source source) throws RefusedException {
    List<SignedLog.Entry> signed = entries(true);
    OperatorOrders orders = OperatorOrders.of(places(signed, source));
    for (SignedLog.Entry entry : signed) {
      if (entry.key().equals(CATCH_UP) && isAbout(source, entry)) {
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

  private static boolean isAbout(Cluster.Source source, SignedLog.Entry entry) {
    return entry.value().path("source").asText().equals(source.id());
  }

  private static List<RecordSpan> places(List<SignedLog.Entry> said, Cluster.Source source) {
    return said.stream()
        .filter(entry -> entry.key().equals(SKIPPED) && isAbout(source, entry))
        .flatMap(entry -> place(entry.value()).stream())
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
  List<RecordSpan> ofOthers(Cluster.Source source) throws RefusedException {
    List<RecordSpan> mine = spans(source);
    return places(entries(false), source).stream().filter(span -> !mine.contains(span)).toList();
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

  private static Optional<RecordSpan> place(JsonNode value) {
    long first = value.path("offset").asLong();
    try {
      return Optional.of(
          new RecordSpan(value.path("partition").asInt(), first, value.path("last").asLong(first)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Enters places, all or none, for good. */
  public void add(List<RecordSpan> places, Cluster cluster, String records, Cluster.Source source)
      throws RefusedException {
    log.create(cluster);
    String now = Instant.now().toString();
    log.appendExclusively(
        () ->
            places.stream()
                .map(place -> new SignedLog.Draft(SKIPPED, json(place, records, source, now)))
                .toList());
  }

  /**
   * Enters that the topic's past is to be read: no record is too far ahead that lies before {@code
   * time}, or as far behind it as {@code window.ahead} allows.
   *
   * @param time milliseconds since 1970
   */
  public void addCatchUp(long time, Cluster cluster, Cluster.Source source)
      throws RefusedException {
    log.create(cluster);
    ObjectNode value =
        JsonNodeFactory.instance.objectNode().put("source", source.id()).put("time", time);
    log.appendExclusively(() -> List.of(new SignedLog.Draft(CATCH_UP, value)));
  }

  private static ObjectNode json(
      RecordSpan place, String records, Cluster.Source source, String now) {
    ObjectNode value =
        JsonNodeFactory.instance
            .objectNode()
            .put("topic", records)
            .put("source", source.id())
            .put("partition", place.partition())
            .put("offset", place.first());
    if (place.length() > 1) {
      value.put("last", place.last());
    }
    return value.put("at", now);
  }
}
