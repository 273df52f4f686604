// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The periods of one budget in event time, and how many changes that the budget protects change all
 * that another budget protects at once (docs/theory/periods-and-accounts.md, Theorem P). Times are
 * milliseconds.
 *
 * @param unit of the account
 * @param period of the budget
 * @param windows of the budget
 */
record AccountPeriods(PrivacyUnit unit, Period period, ClaimedWindows windows) {
  /** Some 3,000 years. */
  private static final long LONGEST = 100_000_000_000_000L;

  /** Phases that are looked at where a period more or less is touched. */
  private static final int PHASES = 3;

  /**
   * Those of a claim.
   *
   * @return nothing where the claim does not say it, or nothing that can be reckoned with
   */
  static Optional<AccountPeriods> of(AccountClaim claim) {
    if (claim.windows().isEmpty()) {
      return Optional.empty();
    }
    try {
      PrivacyUnit unit = unitOf(claim.unit());
      Period period = Period.of(claim.period());
      ClaimedWindows windows = claim.windows().get();
      long length =
          period instanceof Period.Fixed fixed
              ? fixed.length().toMillis()
              : period instanceof Period.Any any ? any.length().toMillis() : windows.size();
      boolean fits =
          length > 0
              && length <= LONGEST
              && !(period instanceof Period.Any && length % windows.size() != 0);
      return fits ? Optional.of(new AccountPeriods(unit, period, windows)) : Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  private static PrivacyUnit unitOf(String word) {
    for (PrivacyUnit unit : PrivacyUnit.values()) {
      if (unit.word().equals(word)) {
        return unit;
      }
    }
    throw new IllegalArgumentException("no unit: " + word);
  }

  /**
   * Intervals of a length that begin every so often.
   *
   * @param length at least 1
   * @param step from one to the next, at least 1
   * @param offset where one begins
   * @param windows of the budget that one holds, at most
   */
  private record Stretches(long length, long step, long offset, long windows) {}

  /**
   * The changes of this budget that change one stretch of another's.
   *
   * @param other which protects the stretch
   * @return one or several, of which the account must cover each
   */
  List<Steps> stepsFor(AccountPeriods other) {
    boolean lifetime = period instanceof Period.Lifetime;
    if (sameCalendar(other) || lifetime && unit != PrivacyUnit.RECORD) {
      return List.of(Steps.ONE);
    }
    if (lifetime) {
      return List.of(Steps.chain(other.mostTouched(windows.size(), windows.origin())));
    }
    List<Steps> steps = new ArrayList<>();
    for (Stretches stretches : other.stretches()) {
      for (Steps found : unit == PrivacyUnit.RECORD ? records(other, stretches) : of(stretches)) {
        steps.add(windows.apart() ? found : found.sharing());
      }
    }
    return steps;
  }

  private boolean sameCalendar(AccountPeriods other) {
    return period.word().equals(other.period.word()) && windows.sameGrid(other.windows);
  }

  /** What this budget protects at once: intervals that windows fill, or, without users, a span. */
  private List<Stretches> stretches() {
    long size = windows.size();
    if (period instanceof Period.Any any) {
      long span = any.length().toMillis();
      long touched = span / size + 1;
      return unit == PrivacyUnit.USER
          ? List.of(new Stretches(span + size, size, windows.origin(), touched))
          : List.of(new Stretches(span, 1, 0, touched));
    }
    long length = periodLength();
    if (length % size == 0) {
      return List.of(new Stretches(length, length, windows.origin(), length / size));
    }
    // Some periods hold a window more than others, and which ones is not worked out.
    long fewer = length / size;
    return List.of(
        new Stretches(fewer * size, size, windows.origin(), fewer),
        new Stretches((fewer + 1) * size, size, windows.origin(), fewer + 1));
  }

  /** Of a period that is not longer than a window each window has one of its own. */
  private long periodLength() {
    return period instanceof Period.Fixed fixed
        ? Math.max(fixed.length().toMillis(), windows.size())
        : windows.size();
  }

  /** Periods that lie on a regular grid: of windows, or of whole numbers of them. */
  private boolean isRegular() {
    return periodLength() % windows.size() == 0;
  }

  private List<Steps> of(Stretches stretches) {
    if (!isRegular()) {
      long groups = ceilDiv(stretches.length() + windows.size() - 2, periodLength()) + 1;
      return List.of(steps(groups, true, true));
    }
    List<Steps> found = new ArrayList<>();
    for (long phase : phases(stretches)) {
      found.add(at(phase, stretches.length()));
    }
    return found;
  }

  /**
   * Where stretches begin within this budget's periods: of all places those at which a largest
   * number of periods, or one less, is touched, and of these the last few. Among {@value #PHASES}
   * in a row one is cut at both ends, if any is.
   */
  private List<Long> phases(Stretches stretches) {
    long grid = periodLength();
    long common = gcd(stretches.step(), grid);
    long least = Math.floorMod(stretches.offset() - windows.origin(), common);
    long last = least + (grid - 1 - least) / common * common;
    // The number that is touched rises by one where a phase is at least this.
    long rise = (last + stretches.length() - 1) / grid * grid - stretches.length() + 1;
    List<Long> phases = new ArrayList<>();
    for (long from : List.of(last, least + Math.floorDiv(rise - 1 - least, common) * common)) {
      for (int i = 0; i < PHASES; i++) {
        long phase = from - i * common;
        if (phase >= least && phase <= last) {
          phases.add(phase);
        }
      }
    }
    return phases;
  }

  private Steps at(long phase, long length) {
    long size = windows.size();
    long grid = periodLength();
    long end = phase + length;
    boolean whole = windows.everyWindow();
    boolean cutFirst = phase % size != 0 || !whole && phase % grid != 0;
    boolean cutLast = end % size != 0 || !whole && end % grid != 0;
    long touched = (end - 1) / grid + 1;
    return period instanceof Period.Any any
        ? steps(ceilDiv(touched, any.length().toMillis() / size + 1), cutFirst, cutLast)
        : steps(touched, cutFirst, cutLast);
  }

  /** A period that is cut is emptied first, and what lies outside is put back then. */
  private Steps steps(long groups, boolean cutFirst, boolean cutLast) {
    if (unit != PrivacyUnit.USER || !cutFirst && !cutLast) {
      return new Steps(groups, 1, 0, 1);
    }
    long twice = groups > 1 && cutFirst && cutLast ? 2 : 1;
    return new Steps(groups - twice, 1, twice, 2);
  }

  /** One record of each of the other's windows is changed, of which several may be in one here. */
  private List<Steps> records(AccountPeriods other, Stretches stretches) {
    long most = Math.min(stretches.windows(), other.mostTouched(windows.size(), windows.origin()));
    List<Steps> all = new ArrayList<>();
    for (Steps periods : of(stretches)) {
      long changes =
          BigInteger.valueOf(periods.total())
              .multiply(BigInteger.valueOf(most))
              .min(BigInteger.valueOf(stretches.windows()))
              .longValueExact();
      long rest = changes % most;
      all.add(new Steps(changes / most, most, rest == 0 ? 0 : 1, Math.max(1, rest)));
    }
    return all;
  }

  /** How many of this budget's windows one window of a size touches at most. */
  private long mostTouched(long size, long origin) {
    long common = gcd(size, windows.size());
    long least = Math.floorMod(origin - windows.origin(), common);
    long last = least + (windows.size() - 1 - least) / common * common;
    return (last + size - 1) / windows.size() + 1;
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
