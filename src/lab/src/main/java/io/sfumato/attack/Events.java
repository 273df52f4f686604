// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The chances of growing events under two neighbours, exactly: the best attack that there is, if
 * each holds what speaks more for the first neighbour than all it does not hold (Neyman, Pearson
 * 1933).
 *
 * @param p chances under the first, rising
 * @param q chances under the second, rising
 */
public record Events(double[] p, double[] q) {
  public Events {
    p = p.clone();
    q = q.clone();
    if (p.length != q.length || p.length == 0) {
      throw new IllegalArgumentException("every event has a chance under both neighbours");
    }
  }

  @Override
  public double[] p() {
    return p.clone();
  }

  @Override
  public double[] q() {
    return q.clone();
  }

  /** One outcome of a finite law: its chances under both. */
  public record Atom(double p, double q) {}

  /** Of finite laws: outcomes in any order. */
  public static Events of(List<Atom> atoms) {
    List<Atom> sorted = new ArrayList<>(atoms);
    sorted.sort(Comparator.comparingDouble((Atom atom) -> atom.q() / atom.p()));
    double[] p = new double[sorted.size()];
    double[] q = new double[sorted.size()];
    double sumP = 0;
    double sumQ = 0;
    for (int i = 0; i < p.length; i++) {
      sumP += sorted.get(i).p();
      sumQ += sorted.get(i).q();
      p[i] = sumP;
      q[i] = sumQ;
    }
    return new Events(p, q);
  }

  /**
   * A lower bound of every epsilon that holds at a delta in [0, 1): {@code max ln((P(E) - delta) /
   * Q(E))}, at least 0.
   */
  public double epsilon(double delta) {
    double most = 0;
    for (int i = 0; i < p.length; i++) {
      if (p[i] > delta) {
        most = Math.max(most, StrictMath.log((p[i] - delta) / q[i]));
      }
    }
    return most;
  }

  /** A lower bound of every delta that holds at an epsilon: {@code max P(E) - e^epsilon Q(E)}. */
  public double delta(double epsilon) {
    double most = 0;
    for (int i = 0; i < p.length; i++) {
      most = Math.max(most, p[i] - StrictMath.exp(epsilon) * q[i]);
    }
    return most;
  }
}
