// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.version.BudgetTerms;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * What users of a population pipeline have spent. A window costs a user one charge of every output
 * that is drawn of it, for all subjects together: the losses of C records add up to no more than if
 * all were in one subject, since no curve, divided by the number of records, falls with it. Running
 * counts' charges contain what windows lose together (docs/theory/running-sums.md, Theorem E).
 * Where a period bounds records, each that counts is charged, so that the ledger's size is their
 * number (docs/theory/bounded-users.md, Theorem R). Where every span of a length is a period, the
 * calendar alone says which windows count, and users have no ledgers (Theorem L).
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

  /**
   * An output, and what its users are charged in.
   *
   * @param period P, where a period bounds records: so many charges there are at most, whatever
   *     those cost that another pipeline made
   */
  private record Output(ReleaseSpec release, UserLedgers ledgers, OptionalInt period) {
    /** For how many of a window's records there is room: for all or none where windows cost. */
    int room(String user, long windowStart, int records) {
      if (release.chargesRecords()) {
        return ledgers.admits(user, windowStart, (int) Math.min(records, left(user, windowStart)));
      }
      return ledgers.admits(user, windowStart, 1) > 0 ? records : 0;
    }

    private long left(String user, long windowStart) {
      return period.isPresent()
          ? Math.max(0, period.getAsInt() - ledgers.charges(user, windowStart))
          : Long.MAX_VALUE;
    }

    void charge(String user, long windowStart, int records) {
      ledgers.charge(user, windowStart, release.chargesRecords() ? records : 1);
    }
  }

  /**
   * That of a plan, under the terms that its budget was granted.
   *
   * @param question whose outputs are charged together, for all of them or none: its number
   */
  public static UserCharger of(
      Plan plan, int question, BudgetTerms terms, LedgerStore store, ExpiredLedgers periods) {
    Pipeline pipeline = plan.pipeline().parts().get(question);
    return new UserCharger(
        plan.pipeline(),
        periods,
        plan.releases().stream()
            .filter(release -> plan.pipeline().questionOf(release.spec()) == question)
            .filter(release -> hasLedger(pipeline, release.spec()))
            .map(
                release ->
                    new Output(
                        release.spec(),
                        new UserLedgers(
                            release.share().name(), terms.rule(release), store, periods),
                        bound(pipeline)))
            .toList());
  }

  private static OptionalInt bound(Pipeline pipeline) {
    return pipeline
        .population()
        .filter(Population::chargesRecords)
        .map(Population::perPeriod)
        .orElse(OptionalInt.empty());
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
    return charge(user, windowStart, records, output -> !hasOwnRecords(output));
  }

  /**
   * Charges records of a user's window that are counted as left out, where each is charged. They
   * are bounded by themselves: what has counted takes no room from them.
   *
   * @param records that were left out, at least 1
   * @return how many of them are charged for: the first ones
   */
  public int chargeLeftOut(String user, long windowStart, int records) {
    return charge(user, windowStart, records, UserCharger::hasOwnRecords);
  }

  private static boolean hasOwnRecords(Output output) {
    return output.release().chargesRecords() && output.release().countsLeftOut();
  }

  private int charge(String user, long windowStart, int records, Predicate<Output> which) {
    periods.chargeable(windowStart);
    if (!pipeline.counts(windowStart)) {
      return 0;
    }
    List<Output> due =
        outputs.stream()
            .filter(which)
            .filter(output -> pipeline.isDue(output.release(), windowStart))
            .toList();
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
