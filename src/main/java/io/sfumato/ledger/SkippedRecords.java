// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.console.Visible;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.Incumbent;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.setting.RecordSpan;
import io.sfumato.topology.setting.SkippedPlaces;
import io.sfumato.topology.setting.SkippedUnknownException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Places of records that operators said do not count, in the registry of the budget. Every task
 * reads them when it begins to work, before it reads any record, so that nothing depends on how two
 * topics interleave; an entry that the budget's key did not sign says nothing.
 */
public final class SkippedRecords {
  /** Key of the entries, which {@link Registry} passes over. */
  private static final String SKIPPED = "skipped-record";

  private final String budget;
  private final KafkaSettings settings;
  private final String keyTag;
  private final String topic;
  private final SignedLog log;

  /**
   * @param key the budget's
   */
  public SkippedRecords(Pipeline pipeline, KafkaSettings settings, NoiseKey key) {
    this(pipeline.budget().name(), settings, key);
  }

  /**
   * @param key the budget's
   */
  SkippedRecords(String budget, KafkaSettings settings, NoiseKey key) {
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
   * The places that are passed over, in the order in which they were said.
   *
   * @param source the records' topic: what was said of one that was made anew since holds no more
   */
  public List<RecordSpan> read(Cluster cluster, Cluster.Source source) throws RefusedException {
    return cluster.topics().isThere(topic) ? spans(source) : List.of();
  }

  /** The same of a registry that is there. */
  List<RecordSpan> spans(Cluster.Source source) throws RefusedException {
    return places(signed(), source);
  }

  /**
   * For tasks that begin to work.
   *
   * @param source the records' topic
   * @return reads the registry, which must be there, whenever it is asked, and throws {@link
   *     SkippedUnknownException} where it cannot
   */
  public Supplier<SkippedPlaces> whenever(Cluster.Source source) {
    return () -> {
      try {
        return SkippedPlaces.of(spans(source));
      } catch (RefusedException e) {
        throw new SkippedUnknownException(
            "which records do not count (sfumato skip-record) could not be found out: "
                + e.getMessage());
      }
    };
  }

  /** What this key signed, in log order. */
  private List<ObjectNode> signed() throws RefusedException {
    return entries(true);
  }

  private List<ObjectNode> entries(boolean mine) throws RefusedException {
    return log.read().stream()
        .filter(entry -> entry.isMine() == mine && entry.key().equals(SKIPPED))
        .map(entry -> (ObjectNode) entry.value())
        .toList();
  }

  private static List<RecordSpan> places(List<ObjectNode> values, Cluster.Source source) {
    return values.stream()
        .filter(value -> value.path("source").asText().equals(source.id()))
        .flatMap(value -> place(value).stream())
        .distinct()
        .toList();
  }

  /**
   * Signs what another key of the budget, or the key of a budget whose ledger goes on as this one,
   * signed, so that it holds here, too. What is there already is not written again.
   */
  void takeOver(SkippedRecords former) throws RefusedException {
    log.appendExclusively(
        () -> {
          Set<ObjectNode> due = new LinkedHashSet<>(former.signed());
          signed().forEach(due::remove);
          return due.stream().map(value -> new SignedLog.Draft(SKIPPED, value)).toList();
        });
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
    state.incumbent().map(Incumbent::noiseKey).ifPresent(tags::add);
    state.announcedKey().ifPresent(tags::add);
    boolean there = cluster.topics().isThere(topic);
    // What others said of records before anything began says nothing of whose budget it is.
    List<SignedLog.Entry> entries =
        there ? log.read().stream().filter(e -> !e.key().equals(SKIPPED)).toList() : List.of();
    boolean signed = entries.stream().anyMatch(SignedLog.Entry::isMine);
    Set<String> followers = there ? RegistryContents.followers(entries) : Set.of();
    boolean heard =
        tags.contains(keyTag)
            || (tags.isEmpty() ? signed || entries.isEmpty() : signed && followers.isEmpty());
    if (!heard) {
      tags.addAll(followers);
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the noise key that you gave (%s) is not the one that budget '%s' is run with%s: nothing was changed. Give the secret of the pipeline"
              .formatted(
                  keyTag,
                  budget,
                  tags.isEmpty() ? "" : " (%s)".formatted(Visible.of(String.join(", ", tags)))));
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
