// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody, and what he can learn at worst.
 *
 * @param who the role
 * @param holds what he has
 * @param usesHistory what he can learn of people
 * @param bound whether the promise holds against him
 */
public record RoleExposure(String who, String holds, String learns, boolean bound) {
  /** In Kafka WRITE on a topic holds DESCRIBE, which shows where each partition ends. */
  private static final String PUBLIC_COUNTS = "how many records there are, which is public here";

  private static final String AHEAD =
      "by window.max-ahead at most beyond the time that brokers stamp, or beyond any that producers write where the topic takes theirs";

  private static final String COUNTS =
      "how many records there are, exactly and at any time, since Kafka shows the end of a topic to whoever may write to it. Whoever knows everybody else's records sees whether somebody has one";

  static List<RoleExposure> of(Pipeline pipeline) {
    List<RoleExposure> all = new ArrayList<>();
    addReaders(all, pipeline);
    addWriters(all, pipeline);
    addTrusted(all);
    return all;
  }

  private static void addReaders(List<RoleExposure> all, Pipeline pipeline) {
    all.add(
        new RoleExposure(
            "readers of outputs, alone or together, whatever else they know",
            "READ on the outputs' topics, and on refusals where they are given it",
            "what the promise bounds, for ever; they may copy and combine outputs as they like",
            true));
    if (!pipeline.queries().isEmpty()) {
      all.add(
          new RoleExposure(
              "modellers",
              "WRITE on " + pipeline.candidatesTopic() + ", READ on outputs",
              "the same: what they ask is charged before it is answered",
              true));
    }
  }

  private static void addWriters(List<RoleExposure> all, Pipeline pipeline) {
    boolean countIsSecret = pipeline.budget().unit() != PrivacyUnit.RECORD;
    all.add(
        new RoleExposure(
            "producers",
            "WRITE on " + pipeline.input().topic(),
            "what they write; "
                + (countIsSecret ? COUNTS : PUBLIC_COUNTS)
                + ". They are trusted with the truth of records: whoever writes under another's name "
                // Datasets are charged whether or not they have records.
                + (pipeline.budget().unit() == PrivacyUnit.DATASET
                    ? "may spoil statistics"
                    : (pipeline.budget().unit() == PrivacyUnit.USER
                        ? "may displace that person's records, and spoil statistics"
                        : "spends that subject's budget and may spoil statistics"))
                + clock(pipeline.window()),
            !countIsSecret));
    all.add(
        new RoleExposure(
            "a ticker",
            (isTrusted(pipeline.window()) ? "" : "a tick key, ")
                + "WRITE on "
                + pipeline.input().topic(),
            (countIsSecret ? COUNTS : PUBLIC_COUNTS)
                + ". A ticker can close windows early, "
                + AHEAD
                + ", and write what producers can write",
            !countIsSecret));
  }

  private static void addTrusted(List<RoleExposure> all) {
    all.add(
        new RoleExposure(
            "auditors",
            "DESCRIBE on all topics of the pipeline and on the cluster, READ on registries",
            "no raw fact by itself; how many records, journal entries and rows of state there are, and how many bytes each partition holds, at any time: sizes can tell what single records hold",
            false));
    all.add(
        new RoleExposure(
            "operators",
            "rights on commands and dead letters besides the application's, the operators' port",
            "everything: their commands need the application's rights, which read records and journal. Whoever has the port alone: exact numbers of accepted, late and refused records",
            false));
    all.add(
        new RoleExposure(
            "the application and its machines",
            "the noise secret, journal, state",
            "everything: this is the trusted curator of the central model",
            false));
    all.add(
        new RoleExposure(
            "administrators of cluster and machines",
            "topics and disks",
            "everything: records, journal and state are not encrypted by the program",
            false));
  }

  /** Who may write ticks without a key. */
  private static boolean isTrusted(WindowSpec window) {
    return window.ticks() == WindowSpec.Ticks.TRUSTED;
  }

  private static String clock(WindowSpec window) {
    return isTrusted(window)
        ? ". Their ticks need no key ('ticks: trusted'): they can close windows early, " + AHEAD
        : window.clock() == WindowSpec.Clock.RECORDS
            ? ". Times of records move the clock: they can close windows early, " + AHEAD
            : "";
  }
}
