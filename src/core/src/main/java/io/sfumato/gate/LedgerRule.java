// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.ShareCheck;
import io.sfumato.mechanism.BoundedCache;
import io.sfumato.mechanism.Mechanism;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a ledger has room for another charge of one output; writes the charge, then
 * issues the permit. Not safe for several threads: one thread owns a ledger from reading to
 * writing.
 */
public final class LedgerRule {
  private final BudgetShare share;
  private final Mechanism<?, ?> mechanism;
  private final int chargeId;
  private final Map<Integer, Long> costs;

  /** Checks of shares take some milliseconds each, and partitions have the same. */
  private static final BoundedCache<Checked, Boolean> KEPT = new BoundedCache<>(1 << 8);

  private record Checked(BudgetShare share, String charge, BigDecimal besides) {}

  /**
   * One whose charges spend all of the share's delta.
   *
   * @param share that pays
   * @param mechanism whose draws are charged
   * @param chargeId of its charge in ledgers
   * @param costs of every charge that this budget has in the share, by its id
   * @throws IllegalArgumentException if all charges that the share admits exceed its epsilon and
   *     delta, or if the mechanism's charge is missing among the costs, or is stated as less
   */
  public LedgerRule(
      BudgetShare share, Mechanism<?, ?> mechanism, int chargeId, Map<Integer, Long> costs) {
    this(share, mechanism, BigDecimal.ZERO, chargeId, costs);
  }

  /**
   * @param share that pays
   * @param mechanism whose draws are charged
   * @param besides the part of the share's delta that no charge holds, at least 0
   * @param chargeId of its charge in ledgers
   * @param costs of every charge that this budget has in the share, by its id
   * @throws IllegalArgumentException if all charges that the share admits exceed its epsilon and
   *     delta, or if the mechanism's charge is missing among the costs, or is stated as less
   */
  public LedgerRule(
      BudgetShare share,
      Mechanism<?, ?> mechanism,
      BigDecimal besides,
      int chargeId,
      Map<Integer, Long> costs) {
    PrivacyCost charge = mechanism.charge();
    if (!KEPT.of(
        new Checked(share, charge.mechanism(), besides),
        asked -> ShareCheck.isKept(share, charge, besides))) {
      throw new IllegalArgumentException(
          "the charges that share '%s' admits exceed its epsilon and delta"
              .formatted(share.name()));
    }
    this.share = share;
    this.mechanism = mechanism;
    this.chargeId = chargeId;
    this.costs = Map.copyOf(costs);
    Long stated = this.costs.get(chargeId);
    if (stated == null || stated < share.cost(charge)) {
      throw new IllegalArgumentException(
          "charge %d is stated as less than its mechanism costs".formatted(chargeId));
    }
  }

  /**
   * Ledgers as an engine keeps them.
   *
   * @param <K> where a ledger lies
   */
  public interface Ledgers<K> {
    /** An empty one where nothing was charged. */
    Ledger get(K key);

    /** Keeps a ledger, in the transaction that the draw belongs to. */
    void put(K key, Ledger ledger);

    /** Those of a map, which lasts as long as its process. */
    static <K> Ledgers<K> of(Map<K, Ledger> map) {
      return new Ledgers<>() {
        @Override
        public Ledger get(K key) {
          return map.getOrDefault(key, Ledger.EMPTY);
        }

        @Override
        public void put(K key, Ledger ledger) {
          map.put(key, ledger);
        }
      };
    }
  }

  /** Whether a ledger leaves room for one more charge. */
  public boolean admits(Ledger ledger) {
    return isKnown(ledger) && share.admits(ledger, costs, chargeId);
  }

  /** The part that a ledger has spent, 0 to 1; 1 as soon as it leaves no room. For people. */
  public double spent(Ledger ledger) {
    return isKnown(ledger) ? share.spent(ledger, costs, chargeId) : 1;
  }

  /**
   * A query may have been charged for a window that was open when its ledger was exported. What
   * goes on as another share does not know what that cost: it leaves nothing of this one ledger.
   */
  private boolean isKnown(Ledger ledger) {
    return costs.keySet().containsAll(ledger.counts().keySet());
  }

  /**
   * A ledger with one more charge.
   *
   * @throws IllegalStateException if it does not fit
   */
  public Ledger plus(Ledger ledger) {
    if (!admits(ledger)) {
      throw new IllegalStateException("a charge does not fit");
    }
    return ledger.plus(chargeId);
  }

  /**
   * A ledger without one of its charges, for which nothing was ever drawn.
   *
   * @throws IllegalStateException if it does not hold the charge
   */
  public Ledger minus(Ledger ledger) {
    return ledger.minus(chargeId);
  }

  /**
   * Charges one ledger for a query, whose draws come later: {@link Permit#reservedByQuery}.
   *
   * @return false, and nothing is written, if the charge does not fit
   */
  public <K> boolean reserve(Ledgers<K> ledgers, K key) {
    return reserve(ledgers, List.of(key), 1, key);
  }

  /**
   * The same where every span of a length is a period: if the charges of each span that holds the
   * window stay within the share (docs/theory/periods-and-accounts.md, Theorem L).
   *
   * @param around ledgers of consecutive windows: all from the first window of the span that ends
   *     with this one, to the last that may hold charges
   * @param length windows that a span touches, at least 1
   * @param key of the window's own ledger, one of those
   * @throws IllegalArgumentException if the span that ends with the window is not whole
   */
  public <K> boolean reserve(Ledgers<K> ledgers, List<K> around, int length, K key) {
    int own = around.indexOf(key);
    if (length < 1 || own < length - 1) {
      throw new IllegalArgumentException(
          "a span of %d windows that ends with place %d is not whole".formatted(length, own));
    }
    List<Ledger> found = around.stream().map(ledgers::get).toList();
    if (!admitsSpans(found, length)) {
      return false;
    }
    ledgers.put(key, found.get(own).plus(chargeId));
    return true;
  }

  /**
   * Charges one ledger for a draw.
   *
   * @return nothing, and nothing is written, if the charge does not fit
   */
  public <K> Optional<Permit> charge(Ledgers<K> ledgers, K key, ReleaseId id) {
    return charge(ledgers, List.of(key), 1, key, id);
  }

  /**
   * The same where every span of a length is a period, as {@link #reserve} says.
   *
   * @param around as {@link #reserve} takes them
   * @param length windows that a span touches, at least 1
   * @param key of the window's own ledger, one of those
   * @param id of the draw
   * @return nothing, and nothing is written, if the charge does not fit
   * @throws IllegalArgumentException if the span that ends with the window is not whole
   */
  public <K> Optional<Permit> charge(
      Ledgers<K> ledgers, List<K> around, int length, K key, ReleaseId id) {
    return reserve(ledgers, around, length, key)
        ? Optional.of(Permit.charged(id, mechanism))
        : Optional.empty();
  }

  private boolean admitsSpans(List<Ledger> ledgers, int length) {
    Ledger span = Ledger.EMPTY;
    for (int end = 0; end < ledgers.size(); end++) {
      span = span.plus(ledgers.get(end));
      int begin = end + 1 - length;
      if (begin >= 0) {
        if (!admits(span)) {
          return false;
        }
        span = span.minus(ledgers.get(begin));
      }
    }
    return true;
  }
}
