// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.mechanism.Mechanism;
import java.util.List;
import java.util.Objects;

/**
 * The right to make one draw, for a charge that already stands. {@link LedgerRule} issues a permit
 * after it has written the charge into a ledger. The other factories vouch for charges that stand
 * elsewhere; a test binds each of them to its callers. The gate accepts a permit only once, and
 * only for its own draw and mechanism. Like a ledger's partition, it belongs to one thread.
 */
public final class Permit {
  private final ReleaseId id;
  private final Mechanism<?, ?> paid;
  private boolean used;

  /** The next noisy threshold of a query that this may pay for. */
  private long nextThreshold;

  private Permit(ReleaseId id, Mechanism<?, ?> paid) {
    this.id = Objects.requireNonNull(id, "id");
    this.paid = Objects.requireNonNull(paid, "paid");
  }

  /** The charge is in a ledger. */
  static Permit charged(ReleaseId id, Mechanism<?, ?> paid) {
    return new Permit(id, paid);
  }

  /**
   * The query's first candidate charged the share for all answers, and for the noisy thresholds
   * between them.
   *
   * @param id of the draw, whose index is the answer's place
   * @param paid the mechanism that was charged
   * @param answers that the charge covers: one for each candidate of the query
   * @throws IllegalStateException if this is one more
   */
  public static Permit reservedByQuery(ReleaseId id, Mechanism<?, ?> paid, long answers) {
    if (id.index() >= answers) {
      throw new IllegalStateException(
          "the charge of a query covers %d answers, not one at place %d"
              .formatted(answers, id.index()));
    }
    return new Permit(id, paid);
  }

  /**
   * Every user whose records count was charged in the transaction that passed them on.
   *
   * @param id of the draw
   * @param paid the mechanism that was charged
   */
  public static Permit coveredByContributors(ReleaseId id, Mechanism<?, ?> paid) {
    return new Permit(id, paid);
  }

  /**
   * The share affords every release of the calendar, in any span of windows.
   *
   * @param id of the draw
   * @param paid the mechanism that was charged
   */
  public static Permit coveredByCalendar(ReleaseId id, Mechanism<?, ?> paid) {
    return new Permit(id, paid);
  }

  /**
   * A receipt on disk holds the charge.
   *
   * @param id of the draw
   * @param paid the mechanism that was charged
   */
  public static Permit ofReceipt(ReleaseId id, Mechanism<?, ?> paid) {
    return new Permit(id, paid);
  }

  /**
   * The data are synthetic: rehearsals, benchmarks and examples.
   *
   * @param id of the draw
   * @param paid the mechanism that was charged
   */
  public static Permit ofMadeUpData(ReleaseId id, Mechanism<?, ?> paid) {
    return new Permit(id, paid);
  }

  /** The draw that it allows. */
  public ReleaseId id() {
    return id;
  }

  /**
   * The permit for a noisy threshold of the query that this permit's answer belongs to.
   *
   * @param accepted number of acceptances before the threshold
   * @throws IllegalStateException if it was asked for before
   */
  Permit ofThreshold(long accepted) {
    if (accepted < nextThreshold) {
      throw new IllegalStateException("a permit was used before");
    }
    nextThreshold = accepted + 1;
    return new Permit(id.threshold(accepted), paid);
  }

  /**
   * Marks the permit as used.
   *
   * @throws IllegalStateException if it was used before, or does not pay for this
   */
  void use(ReleaseId drawn, Mechanism<?, ?> mechanism) {
    if (used) {
      throw new IllegalStateException("a permit was used before");
    }
    if (!id.equals(drawn)) {
      throw new IllegalStateException("a permit is for another draw");
    }
    if (!pays(paid.paidFor(), mechanism)) {
      throw new IllegalStateException(
          "a permit does not pay for " + mechanism.charge().mechanism());
    }
    used = true;
  }

  /**
   * Looks for the very object first: mechanisms of many parts compare slowly. What was paid for
   * says whether it equals what is drawn: lists ask the other way round.
   */
  private static boolean pays(List<Mechanism<?, ?>> parts, Mechanism<?, ?> drawn) {
    for (Mechanism<?, ?> part : parts) {
      if (part == drawn) {
        return true;
      }
    }
    for (Mechanism<?, ?> part : parts) {
      if (part.equals(drawn)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "Permit[masked]";
  }
}
