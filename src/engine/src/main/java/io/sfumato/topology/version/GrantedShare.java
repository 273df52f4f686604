// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.ContinuedShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanShare;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One share.
 *
 * @param ledger name that stands in the ledgers' keys
 * @param epsilon of the share
 * @param delta of the share
 * @param filter in full: a share keeps one for as long as its period lasts. Where every span of a
 *     length is a period, with what keeps it within each
 * @param until last period in which it may have been charged; {@code IN_USE} while it is
 * @param costs what each charge of it costs, by charge id
 */
public record GrantedShare(
    String ledger,
    Epsilon epsilon,
    Delta delta,
    String filter,
    long until,
    SortedMap<Integer, Long> costs) {

  /** Whether the file that goes on has it. */
  public boolean isInUse() {
    return until == BudgetTerms.IN_USE;
  }

  /** The same, no longer in use. */
  GrantedShare until(long last) {
    return new GrantedShare(ledger, epsilon, delta, filter, last, costs);
  }

  boolean countsIn(long period) {
    return until >= period;
  }

  boolean sameTerms(Pipeline pipeline, PlannedRelease release) {
    BudgetShare share = release.share();
    return epsilon.compareTo(share.epsilon()) == 0
        && delta.compareTo(share.delta()) == 0
        && filter.equals(countingOf(pipeline, release));
  }

  /**
   * Whether a part of its delta paid for thresholds of partition selection, which no cost of its
   * charges contains.
   *
   * @param charges of all shares, by their ids
   */
  boolean discovers(List<String> charges) {
    return costs.keySet().stream().map(charges::get).anyMatch(Threshold::isPartOf);
  }

  /** What its charges lose together, and in which currency; nothing if no program wrote it. */
  Optional<ContinuedShare.Terms> terms() {
    return PrivacyFilter.parse(filter)
        .map(parsed -> new ContinuedShare.Terms(epsilon, delta, parsed));
  }

  /** Whether windows, or spans of them, are counted as a file's release counts them. */
  boolean countsSameWindows(Pipeline pipeline, PlannedRelease release) {
    return calendarOf(filter).equals(calendarOf(countingOf(pipeline, release)));
  }

  /** What stands behind the filter: empty where ledgers of periods keep the share. */
  private static String calendarOf(String filter) {
    return PrivacyFilter.parse(filter)
        .map(parsed -> filter.substring(parsed.canonical().length()))
        .orElse(filter);
  }

  /** How a share is counted, for people: all of it, so that what differs is seen. */
  static String words(String filter) {
    return filter
        .replaceFirst("^AtMost\\[mechanism=(.*), cap=(\\d+)]", "at most $2 releases of $1")
        .replaceFirst(
            "^AtOrder\\[order=(.*?)(?:\\.0)?, cap=(\\d+)]", "Renyi order $1, at most $2 units")
        .replaceFirst("^PureSum\\[cap=(\\d+)]", "pure epsilon, at most $1 units");
  }

  /** How a share of a file is counted. */
  static String countingOf(Pipeline pipeline, PlannedRelease release) {
    Optional<SpanShare> span = SpanShare.of(pipeline, release.spec());
    return release.share().filter().canonical()
        + span.map(is -> ", " + is.canonical()).orElse("")
        + (span.isPresent() && countsLastUsers(release)
            ? ", as a whole by " + release.charge().mechanism()
            : "");
  }

  /**
   * Whether windows are counted together with those before them. What users of n windows in a row
   * lose is no sum of windows' parts, so such a share goes on as the very same alone.
   */
  private static boolean countsLastUsers(PlannedRelease release) {
    return release.spec().cells().filter(cells -> cells.last() > 1).isPresent();
  }
}
