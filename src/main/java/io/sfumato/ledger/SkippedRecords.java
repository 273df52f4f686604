// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.RecordPlace;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Places of records that operators said do not count, in the registry of the budget. A start reads
 * them before it reads any record, so that nothing depends on how two topics interleave; an entry
 * that the budget's key did not sign says nothing.
 */
public final class SkippedRecords {
  /** Key of the entries, which {@link Registry} passes over. */
  private static final String SKIPPED = "skipped-record";

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final String keyTag;
  private final String topic;
  private final SignedLog log;

  /**
   * @param key the budget's
   */
  public SkippedRecords(Pipeline pipeline, KafkaSettings settings, NoiseKey key) {
    String budget = pipeline.budget().name();
    this.pipeline = pipeline;
    this.settings = settings;
    this.keyTag = key.tag();
    this.topic = Registry.topicOf(budget);
    this.log =
        new SignedLog(
            settings,
            topic,
            TransactionalIds.of(pipeline.applicationId(), "skipped-records"),
            Optional.of(key.entriesOf("budget/" + budget)));
  }

  /**
   * The places that are passed over.
   *
   * @param source the records' topic: what was said of one that was made anew since holds no more
   */
  public Set<RecordPlace> read(Cluster cluster, Cluster.Source source) throws RefusedException {
    Set<RecordPlace> places =
        new TreeSet<>(
            Comparator.comparingInt(RecordPlace::partition).thenComparingLong(RecordPlace::offset));
    if (cluster.isThere(topic)) {
      signed().stream()
          .filter(value -> value.path("source").asText().equals(source.id()))
          .map(SkippedRecords::place)
          .forEach(places::add);
    }
    return places;
  }

  /** What this key signed, in log order. */
  private List<ObjectNode> signed() throws RefusedException {
    return log.read().stream()
        .filter(entry -> entry.isMine() && entry.key().equals(SKIPPED))
        .map(entry -> (ObjectNode) entry.value())
        .toList();
  }

  /**
   * Signs what another key of the budget signed, so that it holds under this one, too. What is
   * there already is not written again.
   *
   * @param former of the same budget
   */
  void takeOver(SkippedRecords former) throws RefusedException {
    log.alone(
        () -> {
          Set<ObjectNode> due = new LinkedHashSet<>(former.signed());
          signed().forEach(due::remove);
          return due.stream().map(value -> new SignedLog.Draft(SKIPPED, value)).toList();
        });
  }

  /**
   * Tags of the other noise keys that the budget's state knows, of the version that runs and of one
   * that is announced: those versions pass over only what was said with theirs.
   */
  public Set<String> otherKeys(Cluster cluster) throws RefusedException {
    LedgerImage.Reader state = new StateTopics(pipeline).readMeta(settings, cluster);
    Set<String> tags = new TreeSet<>();
    state.incumbent().map(LedgerImage.Incumbent::noiseKey).ifPresent(tags::add);
    state.announcedKey().ifPresent(tags::add);
    tags.remove(keyTag);
    return tags;
  }

  private static RecordPlace place(JsonNode value) {
    return new RecordPlace(value.path("partition").asInt(), value.path("offset").asLong());
  }

  /** Enters a place, for good. */
  public void add(RecordPlace place, Cluster cluster, Cluster.Source source)
      throws RefusedException {
    log.create(cluster);
    log.alone(
        () ->
            List.of(
                new SignedLog.Draft(
                    SKIPPED,
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("topic", pipeline.input().topic())
                        .put("source", source.id())
                        .put("partition", place.partition())
                        .put("offset", place.offset())
                        .put("at", Instant.now().toString()))));
  }
}
