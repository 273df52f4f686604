// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.workload;

import io.sfumato.random.KeyedRandom;
import java.util.Arrays;

/**
 * The made-up stream of DP-SQLP's comparison of key selections (Zhang and others, Differentially
 * Private Stream Processing at Scale, PVLDB 2024, Table 1): how many records a user has, and which
 * name each of them has, follow Zipf-Mandelbrot laws, {@code P(n)} in proportion to {@code (n +
 * q)^-s}; records lie anywhere in the windows.
 *
 * @param users how many
 * @param windows how many
 */
public record NameWorkload(int users, int windows) {
  /** Most records of a user. */
  private static final int MOST_RECORDS = 100_000;

  /** How many names there are. */
  public static final int NAMES = 1_000_000;

  private static final double RECORDS_Q = 26;
  private static final double RECORDS_S = 6.738;
  private static final double NAMES_Q = 1000;
  private static final double NAMES_S = 1.4;

  /**
   * A user's records, in the order in which they come.
   *
   * @param names of each, from 0
   * @param windows of each, from 1
   */
  public record OfUser(int[] names, int[] windows) {}

  /** What takes users one by one. */
  @FunctionalInterface
  public interface Users {
    /**
     * The next user.
     *
     * @param user from 0
     */
    void next(int user, OfUser records);
  }

  /** Gives all users to somebody, the same ones every time. */
  public void forEach(Users users) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("names of " + this.users + " users");
    double[] records = cumulative(MOST_RECORDS, RECORDS_Q, RECORDS_S);
    double[] names = cumulative(NAMES, NAMES_Q, NAMES_S);
    for (int user = 0; user < this.users; user++) {
      int count = drawn(records, random) + 1;
      int[] ofUser = new int[count];
      int[] at = new int[count];
      for (int i = 0; i < count; i++) {
        ofUser[i] = drawn(names, random);
        at[i] = (int) (random.nextOpenDouble() * windows) + 1;
      }
      Arrays.sort(at);
      users.next(user, new OfUser(ofUser, at));
    }
  }

  /** P[at most n], by n from 1. */
  private static double[] cumulative(int most, double q, double s) {
    double[] sums = new double[most];
    double sum = 0;
    for (int n = 1; n <= most; n++) {
      sum += StrictMath.pow(n + q, -s);
      sums[n - 1] = sum;
    }
    for (int i = 0; i < most; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  private static int drawn(double[] cumulative, KeyedRandom random) {
    int place = Arrays.binarySearch(cumulative, random.nextOpenDouble());
    return Math.min(cumulative.length - 1, place < 0 ? -place - 1 : place);
  }
}
