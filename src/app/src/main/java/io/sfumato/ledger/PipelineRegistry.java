// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.OwnTopics;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import java.util.List;
import java.util.Optional;

/**
 * The budget that a pipeline first ran on, in a topic of the pipeline's own: a file with another
 * budget's name would let everybody begin with nothing spent. What was signed with another key
 * holds until this one has taken it over: a new budget may come with a new key.
 */
public final class PipelineRegistry {
  private static final String BUDGET = "budget";
  private static final String ADOPTED = "adopted";

  private final SignedLog log;
  private final String topic;

  PipelineRegistry(KafkaSettings settings, Pipeline pipeline, Optional<NoiseKey> key) {
    this.topic = topicOf(pipeline.name());
    this.log =
        new SignedLog(
            settings,
            topic,
            TransactionalIds.of(pipeline.applicationId(), "pipeline"),
            key.map(of -> of.entriesOf("pipeline/" + pipeline.name())));
  }

  /** The topic of a pipeline's entries. */
  public static String topicOf(String pipeline) {
    return OwnTopics.registryOfPipeline(pipeline);
  }

  void create(Cluster cluster) throws RefusedException {
    log.create(cluster);
  }

  /** The budget that it first ran on, if it ran. */
  Optional<String> first() throws RefusedException {
    return first(true);
  }

  /** The same by entries that this key did not sign. */
  Optional<String> firstOfOthers() throws RefusedException {
    return first(false);
  }

  private Optional<String> first(boolean mine) throws RefusedException {
    return log.read().stream()
        .filter(entry -> entry.isMine() == mine && entry.key().equals(BUDGET))
        .map(entry -> entry.value().path("budget"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .findFirst();
  }

  /** Whether this key has said that it signs the entries. */
  boolean isOpen() throws RefusedException {
    return log.read().stream().anyMatch(entry -> entry.isMine() && entry.key().equals(ADOPTED));
  }

  /** Remembers the budget, unless one stands there. */
  void enter(String budget) throws RefusedException {
    log.appendExclusively(() -> first().isPresent() ? List.of() : List.of(draft(BUDGET, budget)));
  }

  /** Says that this key signs the entries, once. */
  void open() throws RefusedException {
    log.appendExclusively(() -> isOpen() ? List.of() : List.of(draft(ADOPTED, "")));
  }

  private static SignedLog.Draft draft(String key, String budget) {
    return new SignedLog.Draft(key, JsonNodeFactory.instance.objectNode().put("budget", budget));
  }
}
