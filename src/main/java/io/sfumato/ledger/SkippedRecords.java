package io.sfumato.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.OutputReader;
import io.sfumato.noise.Framing;
import io.sfumato.noise.MacKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.RecordPlace;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Places of records that operators said do not count, in a compacted topic of the budget. A start
 * reads them before it reads any record, so that nothing depends on how two topics interleave; each
 * entry is signed with a key of the noise secret, and one that is not says nothing.
 */
public final class SkippedRecords {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final MacKey key;

  /**
   * @param key the budget's, for these places
   */
  public SkippedRecords(Pipeline pipeline, KafkaSettings settings, MacKey key) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.key = key;
  }

  /** Name of the topic. */
  public static String topicOf(Pipeline pipeline) {
    return pipeline.applicationId() + "-skipped-records";
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
    if (!cluster.exists(topicOf(pipeline))) {
      return places;
    }
    new OutputReader(settings)
        .read(
            List.of(topicOf(pipeline)),
            OutputReader.Ending.AT_END,
            record -> {
              entry(record.value(), source).ifPresent(places::add);
              return true;
            });
    return places;
  }

  private Optional<RecordPlace> entry(byte[] value, Cluster.Source source) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      JsonNode entry = JSON.readTree(value);
      RecordPlace place =
          new RecordPlace(entry.path("partition").asInt(-1), entry.path("offset").asLong(-1));
      return key.verifies(facts(place, source), entry.path("mac").asText())
          ? Optional.of(place)
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // nobody who may say it has said it
    }
  }

  private Framing facts(RecordPlace place, Cluster.Source source) {
    return new Framing()
        .text("sfumato skip-record")
        .text(pipeline.budget().name())
        .text(source.id())
        .number(place.partition())
        .number(place.offset());
  }

  /** Enters a place, for good. */
  public void add(RecordPlace place, Cluster cluster, Cluster.Source source)
      throws RefusedException {
    cluster.createCompacted(topicOf(pipeline));
    ObjectNode entry =
        JSON.createObjectNode()
            .put("topic", pipeline.input().topic())
            .put("partition", place.partition())
            .put("offset", place.offset())
            .put("at", Instant.now().toString())
            .put("mac", key.mac(facts(place, source)));
    try (EventPublisher publisher = new EventPublisher(settings)) {
      publisher.event(
          topicOf(pipeline),
          source.id() + "/" + place.partition() + "@" + place.offset(),
          JSON.writeValueAsBytes(entry));
      publisher.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing JSON to memory failed", e);
    }
  }
}
