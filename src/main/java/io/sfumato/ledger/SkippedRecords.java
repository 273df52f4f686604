// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.RecordPlace;
import java.time.Instant;
import java.util.Comparator;
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
  private final String topic;
  private final SignedLog log;

  /**
   * @param key the budget's
   */
  public SkippedRecords(Pipeline pipeline, KafkaSettings settings, NoiseKey key) {
    String budget = pipeline.budget().name();
    this.pipeline = pipeline;
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
      log.read().stream()
          .filter(entry -> entry.isMine() && entry.key().equals(SKIPPED))
          .map(SignedLog.Entry::value)
          .filter(value -> value.path("source").asText().equals(source.id()))
          .map(SkippedRecords::place)
          .forEach(places::add);
    }
    return places;
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
