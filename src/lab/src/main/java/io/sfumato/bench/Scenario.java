// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

/**
 * A pipeline of one histogram, and what it runs on.
 *
 * @param name of the table's line
 * @param subjects all of which have records in every window
 * @param perSecond records a second
 * @param partitions of the records' topic
 * @param window seconds
 * @param instances number of them
 * @param threads stream threads of each
 * @param commit seconds between two commits of a thread
 */
record Scenario(
    String name,
    double subjects,
    double perSecond,
    int partitions,
    double window,
    int instances,
    int threads,
    double commit) {
  /** Changelogs of a keeper and of intake that change in every transaction, and an output. */
  private static final int TOPICS_OF_A_TASK = 4;

  /** Most records of a journal entry. */
  private static final int MOST_TOGETHER = 500;

  /** Rows of a boundary: it is remembered, and forgotten when its window is released. */
  static final int ROWS_OF_A_BOUNDARY = 2;

  static final Scenario LARGE = new Scenario("a day's windows", 1e8, 1e6, 256, 86_400, 32, 2, 0.1);

  Scenario commit(String text, double seconds) {
    return new Scenario(text, subjects, perSecond, partitions, window, instances, threads, seconds);
  }

  Scenario window(String text, double seconds) {
    return new Scenario(text, subjects, perSecond, partitions, seconds, instances, threads, commit);
  }

  Scenario partitions(String text, int number) {
    return new Scenario(text, subjects, perSecond, number, window, instances, threads, commit);
  }

  Scenario instances(String text, int number) {
    return new Scenario(text, subjects, perSecond, partitions, window, number, threads, commit);
  }

  int allThreads() {
    return instances * threads;
  }

  double releasesPerSecond() {
    return subjects / window;
  }

  /** Each source partition's, in each journal partition. */
  double boundariesPerSecond() {
    return (double) partitions * partitions / window;
  }

  /** Records from one source partition to one journal partition between two commits. */
  double recordsTogether() {
    return perSecond * commit / partitions / partitions;
  }

  /**
   * Journal entries of records: those that go the same way between two commits share one. By chance
   * some ways have none.
   */
  double entriesPerSecond() {
    double ways = (double) partitions * partitions / commit;
    return Math.max(perSecond / MOST_TOGETHER, ways * -Math.expm1(-recordsTogether()));
  }

  double looksPerSecond() {
    return (entriesPerSecond() + boundariesPerSecond())
        * partitionsOfAProducer(partitions, allThreads());
  }

  /** A thread writes to every partition of the journal, and for its own tasks. */
  static double partitionsOfAProducer(int partitions, int threads) {
    return partitions * (1.0 + (double) TOPICS_OF_A_TASK / threads);
  }

  /**
   * Records of changelogs: where subjects are many each record changes another dataset; and where
   * each task has read to.
   */
  double rowsPerSecond() {
    return perSecond + tasks() / commit;
  }

  /**
   * Of transactions: each thread's intake writes to every journal partition, as subjects fall, and
   * each task to its own changelogs.
   */
  double markersPerSecond() {
    return (double) partitions * (allThreads() + TOPICS_OF_A_TASK) / commit;
  }

  double tasks() {
    return 2.0 * partitions;
  }

  double subjectsOfAnInstance() {
    return subjects / instances;
  }
}
