// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.ContinuedShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.LedgerRule;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a budget has granted since it began: append only, it outlives pipeline files. A share that a
 * file no longer has still counts as if it were spent, as long as its period lasts.
 *
 * @param unit what is protected
 * @param epsilon with delta, the guarantee per subject and period
 * @param delta with epsilon
 * @param period how long one ledger lasts
 * @param charges full parameters of every charge: their places are the ledgers' charge ids
 * @param shares every share that is in use, each of a name of its own, and those that ended
 */
public record BudgetTerms(
    String unit,
    Epsilon epsilon,
    Delta delta,
    String period,
    List<String> charges,
    List<GrantedShare> shares) {
  private static final int FORMAT = 1;
  static final long IN_USE = Long.MAX_VALUE;

  public BudgetTerms {
    charges = List.copyOf(charges);
    shares = List.copyOf(shares);
  }

  /** The rule that admits charges of a release. */
  public LedgerRule rule(PlannedRelease release) {
    return new LedgerRule(
        release.share(),
        release.plan().mechanism(),
        release.deltaBesides(),
        chargeId(release.charge()),
        share(release.share().name()).costs());
  }

  /** Those of a budget that begins with a plan. */
  public static BudgetTerms of(Plan plan) {
    BudgetSpec budget = plan.pipeline().budget();
    return new BudgetTerms(
            budget.unit().word(),
            budget.epsilon(),
            budget.delta(),
            budget.period().word(),
            List.of(),
            List.of())
        .extended(plan, Long.MIN_VALUE);
  }

  /**
   * These terms with a plan that takes over. A share that ended is known by its name and its last
   * period: another one of that name may be in use beside it.
   *
   * @param from start of its first window: nothing that starts earlier is released by it, nor
   *     anything later by those before
   * @throws PipelineStopException if it would give anybody budget back, or more than there is
   */
  public BudgetTerms extended(Plan plan, long from) {
    requireSameBudget(plan.pipeline().budget());
    GrantRollover rollover = GrantRollover.of(plan.pipeline(), from);
    List<String> allCharges = new ArrayList<>(charges);
    List<GrantedShare> ended = rollover.ended(shares);
    TreeMap<String, GrantedShare> inUse = new TreeMap<>();
    TreeMap<String, ContinuedShare> continued = new TreeMap<>();
    for (PlannedRelease release : plan.releases()) {
      BudgetShare share = release.share();
      PrivacyCost charge = release.charge();
      if (!allCharges.contains(charge.mechanism())) {
        allCharges.add(charge.mechanism());
      }
      int own = allCharges.indexOf(charge.mechanism());
      GrantRollover.Continuation former = rollover.continuing(ended, release, allCharges);
      former.both().ifPresent(both -> continued.put(share.name(), both));
      inUse.put(
          share.name(),
          new GrantedShare(
              share.name(),
              share.epsilon(),
              share.delta(),
              GrantedShare.countingOf(plan.pipeline(), release),
              IN_USE,
              former.costsWith(own, share.cost(charge))));
    }
    BudgetTerms terms =
        new BudgetTerms(
            unit, epsilon, delta, period, allCharges, rollover.inOrder(ended, inUse, continued));
    rollover.requireCovered(terms.shares(), continued);
    return terms;
  }

  /** Whether a share that is in use pays for the same charges already. */
  public boolean continues(PlannedRelease release) {
    int id = chargeId(release.charge());
    return shares.stream()
        .anyMatch(
            share ->
                share.isInUse()
                    && share.ledger().equals(release.share().name())
                    && share.costs().containsKey(id));
  }

  /** The share of that name that is in use. */
  public GrantedShare share(String ledger) {
    return shares.stream()
        .filter(s -> s.ledger().equals(ledger) && s.isInUse())
        .findFirst()
        .orElseThrow();
  }

  /** The number under which ledgers count a charge. */
  public int chargeId(PrivacyCost charge) {
    return charges.indexOf(charge.mechanism());
  }

  private void requireSameBudget(BudgetSpec budget) {
    boolean countsAlike =
        unit.equals(budget.unit().word()) && period.equals(budget.period().word());
    if (!countsAlike
        || epsilon.compareTo(budget.epsilon()) != 0
        || delta.compareTo(budget.delta()) != 0) {
      throw new PipelineStopException(
          ("budget '%s' was granted as unit %s, epsilon %s, delta %s, period %s; the file says "
                  + "unit %s, epsilon %s, delta %s, period %s. A new version cannot change them: "
                  + "restore the former values%s. A budget with a new name and no ledger adds its "
                  + "loss to the former one, and starts only with --accept-added-loss")
              .formatted(
                  budget.name(),
                  unit,
                  epsilon,
                  delta,
                  period,
                  budget.unit().word(),
                  budget.epsilon(),
                  budget.delta(),
                  budget.period().word(),
                  countsAlike
                      ? ", or carry the ledger over to a budget with a new name (sfumato ledger"
                          + " export OLD --for NEW, sfumato ledger import NEW)"
                      : ""));
    }
  }

  /** Appends them, as identities and exported ledgers have them. */
  public void write(ByteWriter out) {
    out.fixed8(FORMAT).text(unit).text(epsilon.toString()).text(delta.toString()).text(period);
    out.texts(charges).unsigned(shares.size());
    for (GrantedShare share : shares) {
      out.text(share.ledger())
          .text(share.epsilon().toString())
          .text(share.delta().toString())
          .text(share.filter())
          .signed(share.until())
          .unsigned(share.costs().size());
      for (Map.Entry<Integer, Long> cost : share.costs().entrySet()) {
        out.unsigned(cost.getKey()).unsigned(cost.getValue());
      }
    }
  }

  /** Inverse of {@link #write}. */
  public static BudgetTerms read(ByteReader in) {
    in.format(FORMAT, "a budget's terms");
    String unit = in.text();
    Epsilon epsilon = Epsilon.of(in.text());
    Delta delta = Delta.of(in.text());
    String period = in.text();
    List<String> charges = in.texts();
    long count = in.unsigned();
    List<GrantedShare> shares = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      shares.add(
          new GrantedShare(
              in.text(),
              Epsilon.of(in.text()),
              Delta.of(in.text()),
              in.text(),
              in.signed(),
              costs(in)));
    }
    return new BudgetTerms(unit, epsilon, delta, period, charges, shares);
  }

  static SortedMap<Integer, Long> costs(ByteReader in) {
    TreeMap<Integer, Long> costs = new TreeMap<>();
    for (long left = in.unsigned(); left > 0; left--) {
      costs.put((int) in.unsigned(), in.unsigned());
    }
    return costs;
  }
}
