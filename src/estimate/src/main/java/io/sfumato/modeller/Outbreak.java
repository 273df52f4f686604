// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;

/**
 * What is observed of an outbreak in two years.
 *
 * @param clusters sizes of the clusters of one genotype each, largest first
 * @param months of the observations of the largest cluster, from 0 to 23
 */
public record Outbreak(int[] clusters, int[] months) {
  /** San Francisco (Small et al. 1994): 473 isolates in 326 clusters. */
  public static Outbreak sanFrancisco() {
    int[] clusters = new int[326];
    int[][] sizes = {{30, 1}, {23, 1}, {15, 1}, {10, 1}, {8, 1}, {5, 2}, {4, 4}, {3, 13}, {2, 20}};
    Arrays.fill(clusters, 1);
    int next = 0;
    for (int[] size : sizes) {
      Arrays.fill(clusters, next, next + size[1], size[0]);
      next += size[1];
    }
    int[] months = {
      0, 0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 7, 8, 8, 10, 11, 12, 14, 16, 16, 18, 20,
      21, 23
    };
    return new Outbreak(clusters, months);
  }

  /** Number of isolates. */
  public int isolates() {
    return Arrays.stream(clusters).sum();
  }

  /**
   * Distance of two outbreaks: the Euclidean norm of the eight weighted differences of Lintusaari
   * et al. 2019.
   */
  public double distance(Outbreak other) {
    double[] mine = summaries();
    double[] theirs = other.summaries();
    double[] weights = {1, 1, 2, 10, 100 / mine[4], 100 / mine[5], 10, 10};
    double sum = 0;
    for (int i = 0; i < mine.length; i++) {
      double term = weights[i] * (mine[i] - theirs[i]);
      sum += term * term;
    }
    return Math.sqrt(sum);
  }

  private double[] summaries() {
    double isolates = isolates();
    long singles = Arrays.stream(clusters).filter(size -> size == 1).count();
    long pairs = Arrays.stream(clusters).filter(size -> size == 2).count();
    int[] active = Arrays.stream(months).distinct().sorted().toArray();
    return new double[] {
      isolates,
      clusters.length,
      clusters.length > 0 ? clusters[0] : 0,
      // Successive differences of the four largest: they telescope.
      clusters.length > 3 ? (clusters[0] - clusters[3]) / 3.0 : 0,
      isolates > 0 ? singles / isolates : 0,
      isolates > 0 ? pairs / isolates : 0,
      active.length > 0 ? active[active.length - 1] - active[0] + 1 : 0,
      active.length
    };
  }
}
