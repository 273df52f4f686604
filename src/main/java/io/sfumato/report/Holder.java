// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody, and what he can learn at worst.
 *
 * @param who the role
 * @param holds what he has
 * @param learns what he can learn of people
 * @param bound whether the promise holds against him
 */
public record Holder(String who, String holds, String learns, boolean bound) {
  static List<Holder> of(Pipeline pipeline) {
    List<Holder> all = new ArrayList<>();
    all.add(
        new Holder(
            "readers of outputs, alone or together, whatever else they know",
            "READ on the outputs' topics and refusals",
            "what the promise bounds, for ever; they may copy and combine outputs as they like",
            true));
    if (!pipeline.queries().isEmpty()) {
      all.add(
          new Holder(
              "modellers",
              "WRITE on " + pipeline.candidatesTopic() + ", READ on outputs",
              "the same: what they ask is charged before it is answered",
              true));
    }
    all.add(
        new Holder(
            "producers",
            "WRITE on " + pipeline.input().topic(),
            "what they write, and nothing else. They are trusted with the truth of records: whoever writes under another's name spends that person's budget and may spoil statistics",
            true));
    all.add(
        new Holder(
            "a ticker",
            "a tick key, WRITE on " + pipeline.input().topic(),
            "nothing; can close windows early, by window.max-ahead at most",
            true));
    all.add(
        new Holder(
            "operators",
            "rights on commands and dead letters, the operators' port",
            "exact numbers of accepted, late and refused records, and where single ones lie; with the noise secret: everything",
            false));
    all.add(
        new Holder(
            "the application and its machines",
            "the noise secret, journal, state",
            "everything: this is the trusted curator of the central model",
            false));
    all.add(
        new Holder(
            "administrators of cluster and machines",
            "topics and disks",
            "everything: records, journal and state are not encrypted by the program",
            false));
    return all;
  }
}
