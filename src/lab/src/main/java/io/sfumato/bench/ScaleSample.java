// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

/**
 * One piece of work at one size.
 *
 * @param partitions of the records' topic, and of the journal
 * @param threads stream threads of the one instance
 * @param phase what was done
 * @param events records that were taken in
 * @param releases that were drawn
 * @param windows that closed on all partitions
 * @param used by all of that
 */
record ScaleSample(
    int partitions,
    int threads,
    Phase phase,
    long events,
    long releases,
    long windows,
    MeterReading used) {

  /** Kinds of work. */
  enum Phase {
    RECORDS,
    RELEASES,
    /** Empty windows, one after another. */
    WINDOWS,
    /** Empty windows whose ends come all at once. */
    JUMPS,
    IDLE
  }

  /** Entries of the journal. */
  double entries() {
    return used.records().get(MeterReading.Kind.JOURNAL);
  }

  /**
   * Partitions that a thread's producer looks at for an entry: every journal, and its tasks' own.
   */
  double looks() {
    return entries() * Scenario.partitionsOfAProducer(partitions, threads);
  }

  /** Records of changelogs. */
  double rows() {
    return used.records().get(MeterReading.Kind.META) + used.records().get(MeterReading.Kind.STATE);
  }

  /** Tasks, of intake and of keepers, times the seconds that they were there. */
  double taskSeconds() {
    return 2.0 * partitions * used.seconds();
  }

  /** Stream threads, times the seconds that they were there. */
  double threadSeconds() {
    return threads * used.seconds();
  }
}
