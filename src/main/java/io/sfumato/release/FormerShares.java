// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.RenyiUnits;
import io.sfumato.accounting.Share;
import io.sfumato.release.count.PlannedCount;
import java.util.List;
import java.util.Locale;

/** Shares that earlier programs charged too little: what a start says of them. */
public final class FormerShares {
  private FormerShares() {}

  /**
   * One line a share of which a plan affords fewer windows than its file asks for.
   *
   * @param plan as it goes on with its budget's state
   */
  public static List<String> restated(Plan plan) {
    return plan.all(PlannedCount.class).stream()
        .filter(counts -> counts.plan().releases() < counts.spec().horizon())
        .map(FormerShares::line)
        .toList();
  }

  private static String line(PlannedCount counts) {
    Share share = counts.share();
    long asked = counts.spec().horizon();
    return String.format(
        Locale.ROOT,
        "share '%s' (running count '%s') was granted by an earlier program, which charged too little: a"
            + " window cost a user %.4g nats at %s, it costs %.4g. What is missing is charged to everybody"
            + " now: of a user %,d windows count, not %,d, those that have counted included. The noise"
            + " stays as it was (docs/reliability.md, 'Running counts with Laplace noise')",
        share.name(),
        counts.spec().name(),
        RenyiUnits.toNats(share.counting().cap() / asked),
        share.counting().words(),
        RenyiUnits.toNats(share.cost(counts.charge())),
        counts.plan().releases(),
        asked);
  }
}
