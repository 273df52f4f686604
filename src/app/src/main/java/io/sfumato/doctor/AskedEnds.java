// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;

/** Where topics end, as a cluster says; of which partitions it says nothing, that is noted. */
final class AskedEnds implements OpenTransactions.Ends {
  private static final String SUBJECT = "open transactions";

  /** A partition without a leader has no answer, and keeps the others' waiting. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final AdminQueries questions;
  private final Admin admin;
  private final Set<String> silent = new TreeSet<>();

  AskedEnds(AdminQueries questions, Admin admin) {
    this.questions = questions;
    this.admin = admin;
  }

  @Override
  public Map<TopicPartition, Long> of(Set<TopicPartition> partitions, IsolationLevel level)
      throws RefusedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, OffsetSpec.latest()));
    ListOffsetsOptions options = new ListOffsetsOptions(level);
    options.timeoutMs((int) PATIENCE.toMillis());
    ListOffsetsResult answers = admin.listOffsets(specs, options);
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (TopicPartition partition : partitions) {
      questions
          .ask(
              "find the end of " + partition,
              SUBJECT,
              AclOperation.DESCRIBE,
              partition.topic(),
              answers.partitionResult(partition),
              cause -> {
                silent.add(partition.toString());
                return Optional.empty();
              })
          .ifPresent(end -> ends.put(partition, end.offset()));
    }
    return ends;
  }

  /** What the cluster did not say, for another reason than a right. */
  List<Finding> silence() {
    return silent.isEmpty()
        ? List.of()
        : List.of(
            Finding.warning(
                SUBJECT,
                "not checked: no answer about " + String.join(", ", silent),
                "check that these partitions have a leader (kafka-topics.sh --describe "
                    + "--unavailable-partitions), then run doctor again"));
  }
}
