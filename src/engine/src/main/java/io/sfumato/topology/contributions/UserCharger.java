// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.version.BudgetTerms;
import java.util.List;

/**
 * What users of a population pipeline have spent. A window costs a user one charge of every output
 * that is drawn of it, for all subjects together: the losses of C records add up to no more than if
 * all were in one subject, since no curve, divided by the number of records, falls with it. Running
 * counts' charges contain what windows lose together (docs/theory/running-sums.md, Theorem E).
 * Where every span of a length is a period, the calendar alone says which windows count, and users
 * have no ledgers (Theorem L).
 */
public final class UserCharger {
  private final Pipeline pipeline;
  private final ExpiredLedgers periods;
  private final List<Output> outputs;

  private UserCharger(Pipeline pipeline, ExpiredLedgers periods, List<Output> outputs) {
    this.pipeline = pipeline;
    this.periods = periods;
    this.outputs = List.copyOf(outputs);
  }

  /** An output, and what its users are charged in. */
  private record Output(ReleaseSpec release, UserLedgers ledgers) {
    /** For how many of a window's records there is room: for all or none where windows cost. */
    int room(String user, long windowStart, int records) {
      if (release.chargesRecords()) {
        return ledgers.admits(user, windowStart, records);
      }
      return ledgers.admits(user, windowStart, 1) > 0 ? records : 0;
    }

    void charge(String user, long windowStart, int records) {
      ledgers.charge(user, windowStart, release.chargesRecords() ? records : 1);
    }
  }

  /** That of a plan, under the terms that its budget was granted. */
  public static UserCharger of(
      Plan plan, BudgetTerms terms, LedgerStore store, ExpiredLedgers periods) {
    return new UserCharger(
        plan.pipeline(),
        periods,
        plan.releases().stream()
            .filter(release -> hasLedger(plan.pipeline(), release.spec()))
            .map(
                release ->
                    new Output(
                        release.spec(),
                        new UserLedgers(
                            release.share().name(), terms.rule(release), store, periods)))
            .toList());
  }

  private static boolean hasLedger(Pipeline pipeline, ReleaseSpec release) {
    return SpanShare.of(pipeline, release).map(SpanShare::hasLedger).orElse(true);
  }

  /**
   * Charges one window of a user for every output that is drawn of it, or for none. Of a window of
   * which nothing is drawn by the calendar nothing counts.
   *
   * @param records of the window that may count, at least 1
   * @return how many of them are charged for: the first ones, where outputs cost by the record;
   *     none where an output has no room
   */
  public int charge(String user, long windowStart, int records) {
    periods.chargeable(windowStart);
    if (!pipeline.counts(windowStart)) {
      return 0;
    }
    List<Output> due =
        outputs.stream().filter(output -> pipeline.isDue(output.release(), windowStart)).toList();
    int room = records;
    for (Output output : due) {
      room = output.room(user, windowStart, room);
    }
    if (room > 0) {
      for (Output output : due) {
        output.charge(user, windowStart, room);
      }
    }
    return room;
  }

  /** How many records of a user were charged for in the period of a window, where they are. */
  public long charged(String user, long windowStart) {
    return outputs.stream()
        .filter(output -> output.release().chargesRecords())
        .mapToLong(output -> output.ledgers().charges(user, windowStart))
        .max()
        .orElse(0);
  }
}
