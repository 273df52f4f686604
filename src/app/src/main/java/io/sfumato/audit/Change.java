// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.AuditLog.Channel;
import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.audit.AuditLog.Fact;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.LedgerImage;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * What two neighbouring logs differ in, and what may therefore differ between their runs.
 *
 * @param offsets of the changed records in the records' topic
 * @param datasets whose payloads the changed records may touch
 * @param payers whose ledgers they may touch, with the number of the period
 */
record Change(Set<Long> offsets, Set<Dataset> datasets, Set<Payer> payers) {

  /** One subject's window. */
  record Dataset(String subject, long windowStart) implements Comparable<Dataset> {
    @Override
    public int compareTo(Dataset other) {
      int bySubject = subject.compareTo(other.subject);
      return bySubject != 0 ? bySubject : Long.compare(windowStart, other.windowStart);
    }
  }

  /** One ledger's owner and period. */
  record Payer(String who, long period) implements Comparable<Payer> {
    @Override
    public int compareTo(Payer other) {
      int byName = who.compareTo(other.who);
      return byName != 0 ? byName : Long.compare(period, other.period);
    }
  }

  /** No difference: two runs of one log. */
  static Change none() {
    return new Change(Set.of(), Set.of(), Set.of());
  }

  /** The change between two logs whose entries differ in nothing but some records' contents. */
  static Change between(Pipeline pipeline, AuditLog first, AuditLog second) {
    Change change = new Change(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    long offset = 0;
    for (int i = 0; i < first.entries().size(); i++) {
      Entry entry = first.entries().get(i);
      if (!Arrays.equals(entry.value(), second.entries().get(i).value())) {
        Fact fact = entry.fact().orElseThrow();
        change.offsets.add(offset);
        change.datasets.add(new Dataset(fact.subject(), fact.windowStart()));
        change.payers.add(
            new Payer(fact.who(), pipeline.budget().period().indexOf(fact.windowStart())));
      }
      offset += entry.channel() == Channel.RECORDS ? 1 : 0;
    }
    return change;
  }

  /** Whether the records may touch a payload of this subject that counts these windows. */
  boolean touches(String subject, long since, long windowStart) {
    return datasets.stream()
        .anyMatch(
            dataset ->
                dataset.subject().equals(subject)
                    && since <= dataset.windowStart()
                    && dataset.windowStart() <= windowStart);
  }

  /** Whether they may touch what this subject is released by from a window on. */
  boolean touchesBefore(String subject, long windowStart) {
    return touches(subject, Long.MIN_VALUE, windowStart);
  }

  /** Whether they may touch anything of a window, or of one before it. */
  boolean touchesAnyBefore(long windowStart) {
    return datasets.stream().anyMatch(dataset -> dataset.windowStart() <= windowStart);
  }

  /** The same of a ledger: whether they may touch an earlier period of its owner, or its own. */
  boolean touchesBefore(LedgerImage.Line line) {
    return payers.stream()
        .anyMatch(payer -> payer.who().equals(line.subject()) && payer.period() <= line.period());
  }

  boolean touches(LedgerImage.Line line) {
    return payers.contains(new Payer(line.subject(), line.period()));
  }
}
