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
 * @param learns what he can learn of people
 * @param bound whether the promise holds against him
 */
public record RoleExposure(String who, String holds, String learns, boolean bound) {
  /** In Kafka WRITE on a topic holds DESCRIBE, which shows where each partition ends. */
  private static final String PUBLIC_COUNTS = "the number of records, which is public here";

  private static final String AHEAD =
      "by at most window.max-ahead after the Kafka timestamp, which brokers or (with "
          + "CreateTime) producers set";

  private static final String COUNTS =
      "the exact number of records at any time, because Kafka shows the end offsets of a topic "
          + "to every writer. With knowledge of all other records, this reveals whether one "
          + "person has a record";

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
            "READ on output topics, and on refusals if granted",
            "what the guarantee allows, forever; they may copy and combine outputs freely",
            true));
    if (!pipeline.queries().isEmpty()) {
      all.add(
          new RoleExposure(
              "modellers",
              "WRITE on " + pipeline.candidatesTopic() + ", READ on outputs",
              "the same: each query is charged before it is answered",
              true));
    }
  }

  private static void addWriters(List<RoleExposure> all, Pipeline pipeline) {
    boolean countIsSecret = pipeline.budget().unit() != PrivacyUnit.RECORD;
    all.add(
        new RoleExposure(
            "producers",
            "WRITE on " + pipeline.input().topics().words(),
            "what they write; "
                + (countIsSecret ? COUNTS : PUBLIC_COUNTS)
                + ". They must be trusted to write true records: a producer that writes under "
                + "another person's name "
                // Datasets are charged whether or not they have records.
                + (pipeline.budget().unit() == PrivacyUnit.DATASET
                    ? "may falsify statistics"
                    : (pipeline.budget().unit() == PrivacyUnit.USER
                        ? "may displace that person's records and falsify statistics"
                        : "spends that subject's budget and may falsify statistics"))
                + clock(pipeline.window()),
            !countIsSecret));
    all.add(
        new RoleExposure(
            "a ticker",
            (isTrusted(pipeline.window()) ? "" : "a tick key, ")
                + "WRITE on "
                + pipeline.input().topics().words(),
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
            "no raw data directly; the numbers of records, journal entries and state rows, and "
                + "the bytes of each partition, at any time: sizes can reveal the contents of "
                + "single records",
            false));
    all.add(
        new RoleExposure(
            "operators",
            "rights on commands and dead letters in addition to the application's, the status "
                + "page",
            "everything: their commands need the application's rights, which include reading "
                + "records and journal. With access to the status page only: exact numbers of "
                + "accepted, late and refused records",
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
            ? ". Record times advance the watermark: they can close windows early, " + AHEAD
            : "";
  }
}
