// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What bounds leave out of users' windows, as a pipeline picks: subjects by chance, and of the
 * records to these again some by chance.
 *
 * @param records C: of a user and window so many count, at least 1
 * @param subjects S: for so many subjects, at least 1
 */
record LeftOut(int records, int subjects) {
  LeftOut {
    if (records < 1 || subjects < 1) {
      throw new IllegalArgumentException("bounds are at least 1");
    }
  }

  /**
   * The expected share of a sample's records, from 0 to below 1, as far as their subjects are
   * listed: others count under no bounds.
   */
  double share(Sample sample, Fields fields, Duration size, Set<String> listed) {
    List<Map<String, String>> found =
        sample.records().stream()
            .filter(record -> listed.contains(record.getOrDefault(fields.subject(), "")))
            .toList();
    return share(
        new TimedRecords(found, fields.time())
            .windows(fields.person(), fields.subject(), size)
            .values());
  }

  /**
   * The expected share of all records, from 0 to below 1; 0 without any.
   *
   * @param windows of each user and window the subject of each record
   */
  double share(Collection<List<String>> windows) {
    long all = 0;
    double counted = 0;
    for (List<String> window : windows) {
      long[] sizes =
          window.stream()
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
              .values()
              .stream()
              .mapToLong(Long::longValue)
              .sorted()
              .toArray();
      all += window.size();
      counted += counted(sizes);
    }
    return all == 0 ? 0 : Math.max(0, (all - counted) / all);
  }

  /** The expected number that counts, of one with so many records in each of its subjects. */
  private double counted(long[] sizes) {
    int picks = Math.min(subjects, sizes.length);
    // Where j subjects were looked at: the probability that s are picked, with n records or C.
    double[][] p = new double[picks + 1][records + 1];
    p[0][0] = 1;
    for (int j = 0; j < sizes.length; j++) {
      double[][] next = new double[picks + 1][records + 1];
      for (int s = 0; s <= picks; s++) {
        double picked = Math.min(1, (picks - s) / (double) (sizes.length - j));
        for (int n = 0; n <= records; n++) {
          next[s][n] += (1 - picked) * p[s][n];
          if (s < picks) {
            next[s + 1][(int) Math.min(records, n + sizes[j])] += picked * p[s][n];
          }
        }
      }
      p = next;
    }
    double expected = 0;
    for (int n = 0; n <= records; n++) {
      expected += n * p[picks][n];
    }
    return expected;
  }
}
