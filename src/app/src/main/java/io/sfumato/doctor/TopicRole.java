// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.sfumato.ledger.AccountLog;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.OwnTopics;
import io.sfumato.topology.context.Names;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;

/** What a topic is to a pipeline, and what the pipeline itself must be allowed to do with it. */
enum TopicRole {
  RECORDS(READ, DESCRIBE_CONFIGS),
  CONTROL(READ, CREATE, DESCRIBE_CONFIGS),
  CANDIDATES(READ, CREATE, DESCRIBE_CONFIGS),
  OUTPUT(READ, WRITE, CREATE, DESCRIBE_CONFIGS),
  REFUSALS(WRITE, CREATE, DESCRIBE_CONFIGS),
  /** How far windows are released. */
  RELEASED(WRITE, CREATE, DESCRIBE_CONFIGS),
  DEAD_LETTERS(WRITE, CREATE, DESCRIBE_CONFIGS),
  /** Kafka Streams deletes what was processed. */
  JOURNAL(READ, WRITE, CREATE, DELETE, DESCRIBE_CONFIGS),
  CHANGELOG(READ, WRITE, CREATE, DESCRIBE_CONFIGS),
  REGISTRY(READ, WRITE, CREATE, DESCRIBE_CONFIGS),
  /** Shared with other budgets of the account. */
  ACCOUNTS(READ, WRITE, CREATE, DESCRIBE_CONFIGS);

  private final Set<AclOperation> needed;

  TopicRole(AclOperation first, AclOperation... others) {
    this.needed = EnumSet.of(first, others);
  }

  /** What the pipeline does with it. */
  Set<AclOperation> needed() {
    return needed;
  }

  /** Whether it is a log of public facts that says where a budget stands. */
  boolean isPublic() {
    return this == REGISTRY || this == ACCOUNTS;
  }

  /**
   * Every topic that a pipeline reads or owns, whether it is there or not, in order of the data.
   */
  static Map<String, TopicRole> of(Pipeline pipeline) {
    Map<String, TopicRole> topics = new LinkedHashMap<>();
    pipeline.input().topics().names().forEach(topic -> topics.put(topic, RECORDS));
    topics.put(pipeline.controlTopic(), CONTROL);
    if (!pipeline.queries().isEmpty()) {
      topics.put(pipeline.candidatesTopic(), CANDIDATES);
    }
    pipeline.outputs().forEach(release -> topics.put(release.topic(), OUTPUT));
    topics.put(pipeline.refusalsTopic(), REFUSALS);
    topics.put(pipeline.releasedTopic(), RELEASED);
    if (pipeline.rows() != Pipeline.Rows.NONE) {
      topics.put(pipeline.rowsTopic(), OUTPUT);
    }
    topics.put(pipeline.deadLettersTopic(), DEAD_LETTERS);
    Names.journalTopics(pipeline).forEach(journal -> topics.put(journal, JOURNAL));
    Names.changelogTopics(pipeline).forEach(changelog -> topics.put(changelog, CHANGELOG));
    registries(pipeline).forEach(registry -> topics.put(registry, REGISTRY));
    if (pipeline.budget().account().isPresent()) {
      topics.put(AccountLog.TOPIC, ACCOUNTS);
    }
    return topics;
  }

  static List<String> registries(Pipeline pipeline) {
    return OwnTopics.registries(pipeline);
  }
}
