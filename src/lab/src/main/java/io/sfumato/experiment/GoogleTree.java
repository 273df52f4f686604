// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.GoogleNoise.Added;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;

/**
 * BoundedQuantiles of Google's differential privacy library for Java, after its sources and its
 * note on quantile trees: the records of every node of a tree over the range, of the height and the
 * branching factor that it has by default. A node gets its noise when a search comes by.
 *
 * @param range of the values
 * @param counts exact, by level below the root and from the left
 * @param noise of one node: a record moves one node of every level
 */
record GoogleTree(AmountRange range, long[][] counts, Added noise) {
  private static final int HEIGHT = 4;
  private static final int BRANCHES = 16;

  /** Children with a smaller part than this of all are taken for empty. */
  private static final double LEAST_PART = 0.0075;

  private static final double TOLERANCE = 1e-6;

  /** How near to the ends a search begins. */
  private static final double END = 0.005;

  static GoogleTree of(Amounts amounts, GoogleNoise noise, double epsilon, double delta) {
    long[][] counts = new long[HEIGHT][];
    int nodes = 1;
    for (int level = 0; level < HEIGHT; level++) {
      nodes *= BRANCHES;
      counts[level] = new long[nodes];
    }
    AmountRange range = amounts.range();
    for (double x : amounts.all()) {
      int leaf = (int) Math.min(nodes - 1, Math.floor((x - range.low()) / range.width() * nodes));
      for (int level = HEIGHT - 1; level >= 0; level--) {
        counts[level][leaf]++;
        leaf /= BRANCHES;
      }
    }
    return new GoogleTree(range, counts, noise.of(HEIGHT, amounts.most(), epsilon, delta));
  }

  Noisy draw(KeyedRandom random) {
    return new Noisy(this, random);
  }

  /** One release. */
  static final class Noisy {
    private final GoogleTree tree;
    private final KeyedRandom random;
    private final double[][] drawn = new double[HEIGHT][];

    private Noisy(GoogleTree tree, KeyedRandom random) {
      this.tree = tree;
      this.random = random;
      for (int level = 0; level < HEIGHT; level++) {
        drawn[level] = new double[tree.counts[level].length];
        Arrays.fill(drawn[level], Double.NaN);
      }
    }

    /** From the root to the child that holds the part q of what its siblings hold, and so on. */
    double quantile(double q) {
      double rank = Math.max(END, Math.min(1 - END, q));
      int node = 0;
      int nodes = 1;
      for (int level = 0; level < HEIGHT; level++) {
        double[] children = children(level, node);
        double all = Arrays.stream(children).map(c -> Math.max(0, c)).sum();
        double[] kept = Arrays.stream(children).map(c -> c >= all * LEAST_PART ? c : 0).toArray();
        double total = Arrays.stream(kept).sum();
        if (total == 0) {
          break;
        }
        int child = 0;
        double before = 0;
        while (kept[child] == 0 || (before + kept[child]) / total < rank - TOLERANCE) {
          before += kept[child];
          child++;
        }
        rank = Math.max(0, Math.min(1, (rank - before / total) / (kept[child] / total)));
        node = node * BRANCHES + child;
        nodes *= BRANCHES;
      }
      return tree.range.low() + tree.range.width() * ((node + rank) / nodes);
    }

    private double[] children(int level, int node) {
      int first = node * BRANCHES;
      for (int i = first; i < first + BRANCHES; i++) {
        if (Double.isNaN(drawn[level][i])) {
          drawn[level][i] = tree.noise.around((double) tree.counts[level][i], random);
        }
      }
      return Arrays.copyOfRange(drawn[level], first, first + BRANCHES);
    }
  }
}
