// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Pipeline;
import java.util.List;

/**
 * A topic that a pipeline reads or owns.
 *
 * @param name of the topic
 * @param holds in words
 * @param raw whether it holds raw facts, or names
 * @param kept for how long, and who decides that
 */
public record TopicPart(String name, String holds, boolean raw, String kept) {
  private static final String CLUSTER = "as the cluster says (retention.ms), which is yours to set";
  private static final String FOR_EVER = "for ever: every entry, in order";

  /** All of a pipeline, whether they are there or not, in the order of the data. */
  public static List<TopicPart> of(Pipeline pipeline) {
    return TopicRole.of(pipeline).entrySet().stream()
        .map(topic -> of(topic.getKey(), topic.getValue()))
        .toList();
  }

  private static TopicPart of(String name, TopicRole role) {
    return switch (role) {
      case RECORDS ->
          new TopicPart(
              name,
              "the records, as producers write them, and ticks",
              true,
              CLUSTER + "; no shorter than the longest stop of the pipeline");
      case CONTROL ->
          new TopicPart(
              name,
              "commands: new versions, who is enrolled, whom to forget (names of people)",
              true,
              FOR_EVER);
      case CANDIDATES -> new TopicPart(name, "modellers' questions", false, CLUSTER);
      case OUTPUT -> new TopicPart(name, "what is released, noise and all", false, CLUSTER);
      case REFUSALS ->
          new TopicPart(name, "that something was not released, from public facts", false, CLUSTER);
      case DEAD_LETTERS ->
          new TopicPart(
              name,
              "place, time and reason of single records that do not count, never what they hold",
              true,
              CLUSTER);
      case JOURNAL ->
          new TopicPart(
              name,
              "the fields of records that the file names, in the order in which they count",
              true,
              "until it was processed: Kafka Streams deletes it then, a segment of the log at a time");
      case CHANGELOG ->
          new TopicPart(
              name,
              "state: open windows, ledgers, what running sums remember",
              true,
              "compacted: the newest row of each key. Rows of a window are deleted when it is released, or kept no longer for queries, and leave the disks at the brokers' next compaction; ledgers stay");
      case REGISTRY ->
          new TopicPart(
              name,
              "signed public facts: which file and key began, whether the ledger is sealed; charge"
                  + " counts of partitions, encrypted",
              false,
              FOR_EVER);
      case ACCOUNTS ->
          new TopicPart(name, "what budgets take of accounts; public facts", false, FOR_EVER);
    };
  }
}
