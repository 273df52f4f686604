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
  private static final String CLUSTER = "by the topic's retention.ms, which you set";
  private static final String FOR_EVER = "forever: every entry, in order";

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
              CLUSTER + "; must exceed the longest stop of the pipeline");
      case CONTROL ->
          new TopicPart(
              name, "commands: new versions, enrolment, erasure (with names)", true, FOR_EVER);
      case CANDIDATES -> new TopicPart(name, "candidates of modellers' queries", false, CLUSTER);
      case OUTPUT -> new TopicPart(name, "releases, with noise", false, CLUSTER);
      case REFUSALS ->
          new TopicPart(
              name,
              "refusals (that something was not released); they depend on " + "public facts only",
              false,
              CLUSTER);
      case RELEASED ->
          new TopicPart(
              name,
              "through which window each partition is released; public facts only",
              false,
              "the newest of each partition for ever");
      case DEAD_LETTERS ->
          new TopicPart(
              name,
              "offset, time and error code of single records that do not count, never their "
                  + "contents",
              true,
              CLUSTER);
      case JOURNAL ->
          new TopicPart(
              name,
              "the record fields that the file names, in the order in which records count",
              true,
              "until processed: then Kafka Streams deletes it, one log segment at a time");
      case CHANGELOG ->
          new TopicPart(
              name,
              "state: open windows, ledgers, the memory of running sums",
              true,
              "compacted: the newest row per key. Rows of a window are deleted when it is "
                  + "released or no longer needed for queries, and disappear from disk at the "
                  + "brokers' next compaction; ledgers stay");
      case REGISTRY ->
          new TopicPart(
              name,
              "signed public entries (file and key at the first start, seal of the ledger) and "
                  + "encrypted charge counts per partition",
              false,
              FOR_EVER);
      case ACCOUNTS ->
          new TopicPart(name, "shares of accounts that budgets claimed (public)", false, FOR_EVER);
    };
  }
}
