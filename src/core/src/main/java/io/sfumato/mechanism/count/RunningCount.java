// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a running count is: the nodes whose windows, put together, are all windows so far.
 * Immutable.
 *
 * @param windows so far
 * @param nodes largest first; their sizes are the powers of 2 that add up to {@code windows}
 */
public record RunningCount(long windows, List<Node> nodes) {
  /** Before the first window. */
  public static final RunningCount START = new RunningCount(0, List.of());

  /**
   * @throws IllegalArgumentException unless there is a node for each binary digit 1 of the number
   *     of windows
   */
  public RunningCount {
    nodes = List.copyOf(nodes);
    if (Long.bitCount(windows) != nodes.size()) {
      throw new IllegalArgumentException(
          windows + " windows are not " + nodes.size() + " whole nodes");
    }
  }

  /**
   * A node of the tree.
   *
   * @param exact its counts: secret
   * @param noisy the same with noise, drawn once
   */
  public record Node(ExactVector exact, NoisyVector noisy) {}

  /** The exact counts of the node that the next window completes: secret. */
  public ExactVector completedBy(ExactVector window) {
    ExactVector sum = window;
    for (int i = nodes.size() - merged(); i < nodes.size(); i++) {
      sum = sum.plus(nodes.get(i).exact());
    }
    return sum;
  }

  /**
   * With one window more.
   *
   * @param completed the node that it completes
   */
  public RunningCount plus(Node completed) {
    List<Node> next = new ArrayList<>(nodes.subList(0, nodes.size() - merged()));
    next.add(completed);
    return new RunningCount(windows + 1, next);
  }

  /** The count so far: what may be published. */
  public NoisyVector noisy() {
    return nodes.stream().map(Node::noisy).reduce(NoisyVector::plus).orElseThrow();
  }

  /** How many noises the count holds. */
  public int draws() {
    return nodes.size();
  }

  /** Nodes that become part of the next one: those of the trailing ones of the binary number. */
  private int merged() {
    return Long.numberOfTrailingZeros(~windows);
  }
}
