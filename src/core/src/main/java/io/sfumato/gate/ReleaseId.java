// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.random.CanonicalEncoder;
import java.time.Instant;
import java.util.Objects;

/**
 * Names one draw for ever. A release id is drawn for exactly one input: two different draws of one
 * id are an incident.
 *
 * @param budget name of the budget whose ledger is charged
 * @param epoch of the partition's state: a new one gives new noise and a new charge
 * @param pipelineVersion version in the pipeline file, at least 1
 * @param output name of the release in the pipeline file
 * @param subject whose dataset is released
 * @param windowStart event time of the window's start, milliseconds since 1970
 * @param index of the item within the window, from 0
 */
public record ReleaseId(
    String budget,
    StateEpoch epoch,
    int pipelineVersion,
    String output,
    String subject,
    long windowStart,
    int index) {

  /** The window named last: its releases follow each other, and a date's text costs time. */
  private static volatile Window last = new Window(0, Instant.EPOCH.toString());

  private record Window(long start, String text) {
    static Window of(long start) {
      Window known = last;
      if (known.start() != start) {
        known = new Window(start, Instant.ofEpochMilli(start).toString());
        last = known;
      }
      return known;
    }
  }

  /**
   * @throws IllegalArgumentException if the version is below 1 or the index below 0
   */
  public ReleaseId {
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(epoch, "incarnation");
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(subject, "subject");
    if (pipelineVersion < 1 || index < 0) {
      throw new IllegalArgumentException(
          "version must be at least 1 and index at least 0, were "
              + pipelineVersion
              + ", "
              + index);
    }
  }

  /**
   * The noisy threshold of the query that this answer belongs to; it is never published.
   *
   * @param accepted number of acceptances before it
   */
  ReleaseId threshold(long accepted) {
    return new ReleaseId(
        budget,
        epoch,
        pipelineVersion,
        output + "/threshold",
        subject,
        windowStart,
        Math.toIntExact(accepted));
  }

  /** Every field, each with its length or a fixed width: no two ids share an encoding. */
  void encode(CanonicalEncoder encoder) {
    encoder
        .text(budget)
        .bytes(epoch.toBytes())
        .number(pipelineVersion)
        .text(output)
        .text(subject)
        .number(windowStart)
        .number(index);
  }

  /** The readable form that outputs carry in a header; holds nothing that the output lacks. */
  public String text() {
    return String.join(
        "/",
        budget,
        epoch.toString(),
        "v" + pipelineVersion,
        output,
        subject,
        Window.of(windowStart).text(),
        Integer.toString(index));
  }
}
