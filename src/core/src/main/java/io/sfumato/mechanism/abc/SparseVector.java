// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Epsilon;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Sparse-vector ABC in whole numbers: a noisy distance at most the noisy threshold is an
 * acceptance; after c of them the query is over. All of epsilon is charged before the first answer.
 * The noisy threshold, the number of acceptances and the rejected distances are secret state of the
 * query.
 */
public final class SparseVector implements QueryNoise {
  private static final double STEPS_IN_SCALE = 4096;

  /** What exact sampling takes, with room for what is added and for twice the scale. */
  private static final double MOST_IN_SCALE = 0x1.0p37;

  private final DistanceGrid grid;
  private final long thresholdSteps;
  private final long scaleSteps;
  private final long acceptances;
  private final Threshold mode;

  private SparseVector(
      DistanceGrid grid, long thresholdSteps, long scaleSteps, long acceptances, Threshold mode) {
    this.grid = grid;
    this.thresholdSteps = thresholdSteps;
    this.scaleSteps = scaleSteps;
    this.acceptances = acceptances;
    this.mode = mode;
  }

  /**
   * Plans a query: see {@link SparseVectorPlan#scale}, with the grid's step more in D.
   *
   * @param acceptances c, at least 1
   * @param sensitivity D, above 0
   * @param threshold above 0, in the unit of D
   * @throws IllegalArgumentException if the threshold is not above 0 or infinite
   */
  public static SparseVector plan(
      Epsilon epsilon, long acceptances, double sensitivity, double threshold, Threshold mode) {
    if (!(threshold > 0) || threshold == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("threshold must be above 0, was " + threshold);
    }
    double near = SparseVectorPlan.scale(epsilon, acceptances, sensitivity, mode);
    DistanceGrid grid =
        near > MOST_IN_SCALE
            ? DistanceGrid.coarserThan(near, MOST_IN_SCALE)
            : DistanceGrid.finerThan(near, STEPS_IN_SCALE);
    double moved = grid.sensitivity(sensitivity);
    long scale = (long) Math.ceil(SparseVectorPlan.scale(epsilon, acceptances, moved, mode));
    long steps = grid.steps(threshold);
    return new SparseVector(grid, steps, scale, acceptances, mode);
  }

  /** Scale b of the threshold's noise, in the unit of distances. */
  @Override
  public double scale() {
    return scaleSteps * grid.step();
  }

  @Override
  public void encode(CanonicalEncoder encoder) {
    encoder.text("sparse vector").number(grid.exponent()).number(thresholdSteps).number(scaleSteps);
  }

  /** Secret state of a query: the noisy threshold, which is published nowhere. */
  public static final class State {
    private final long noisyThreshold;
    private final long accepted;

    /**
     * @param noisyThreshold in steps
     * @param accepted so far
     */
    State(long noisyThreshold, long accepted) {
      this.noisyThreshold = noisyThreshold;
      this.accepted = accepted;
    }

    long noisyThreshold() {
      return noisyThreshold;
    }

    /** Acceptances so far: public, as answers are. */
    public long accepted() {
      return accepted;
    }

    /** As stores keep it. */
    public void write(ByteWriter out) {
      out.signed(noisyThreshold).unsigned(accepted);
    }

    /** Inverse of {@link #write}. */
    public static State read(ByteReader in) {
      return new State(in.signed(), in.unsigned());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State state
          && noisyThreshold == state.noisyThreshold
          && accepted == state.accepted;
    }

    @Override
    public int hashCode() {
      return Objects.hash(noisyThreshold, accepted);
    }

    /** Never prints the threshold. */
    @Override
    public String toString() {
      return "State[masked]";
    }
  }

  @Override
  public Optional<NoisyThreshold> threshold(KeyedRandom random) {
    return Optional.of(new NoisyThreshold(thresholdSteps + laplace(1).sample(random)));
  }

  @Override
  public Optional<State> start(LongFunction<NoisyThreshold> thresholds) {
    return Optional.of(new State(thresholds.apply(0).steps(), 0));
  }

  /** Whether c acceptances were given: nothing more is answered. */
  @Override
  public boolean isOver(Optional<State> state) {
    return state.isPresent() && state.get().accepted() >= acceptances;
  }

  /**
   * 1 if the noisy distance is at most the noisy threshold.
   *
   * @throws IllegalStateException if the query is over
   */
  @Override
  public OutputDistribution<NoisyAnswer> answer(double rho, Optional<State> state) {
    if (isOver(state)) {
      throw new IllegalStateException("the query is over: " + acceptances + " were accepted");
    }
    long threshold = state.orElseThrow().noisyThreshold();
    long exact = grid.steps(rho);
    return distribution(random -> exact + laplace(2).sample(random) > threshold ? 0 : 1);
  }

  @Override
  public Optional<State> after(
      Optional<State> state, long answer, LongFunction<NoisyThreshold> thresholds) {
    if (answer == 0) {
      return state;
    }
    State before = state.orElseThrow();
    long accepted = before.accepted() + 1;
    return Optional.of(
        new State(
            mode == Threshold.REDRAWN
                ? thresholds.apply(accepted).steps()
                : before.noisyThreshold(),
            accepted));
  }

  private DiscreteLaplace laplace(long times) {
    return new DiscreteLaplace(times * scaleSteps, 1);
  }
}
