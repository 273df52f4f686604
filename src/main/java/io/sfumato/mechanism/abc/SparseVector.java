// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.noise.DiscreteLaplace;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;

/**
 * Sparse-vector ABC in whole numbers: a noisy distance at most the noisy threshold is an
 * acceptance; after c of them the query is over. All of epsilon is charged before the first answer.
 * The noisy threshold, the number of acceptances and the rejected distances are secret state of the
 * query.
 */
public final class SparseVector implements QueryNoise {
  private static final double STEPS_IN_SCALE = 4096;

  private final DistanceGrid grid;
  private final long thresholdSteps;
  private final long scaleSteps;
  private final long acceptances;
  private final Threshold mode;
  private final Charge charge;

  private SparseVector(
      DistanceGrid grid,
      long thresholdSteps,
      long scaleSteps,
      long acceptances,
      Threshold mode,
      Charge charge) {
    this.grid = grid;
    this.thresholdSteps = thresholdSteps;
    this.scaleSteps = scaleSteps;
    this.acceptances = acceptances;
    this.mode = mode;
    this.charge = charge;
  }

  /** Plans a query: see {@link SparseVectorPlan#scale}, with the grid's step more in D. */
  public static SparseVector plan(
      Epsilon epsilon, long acceptances, double sensitivity, double threshold, Threshold mode) {
    if (!(threshold > 0) || threshold == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("threshold must be above 0, was " + threshold);
    }
    double near = SparseVectorPlan.scale(epsilon, acceptances, sensitivity, mode);
    DistanceGrid grid = DistanceGrid.finerThan(near, STEPS_IN_SCALE);
    double moved = grid.sensitivity(sensitivity);
    long scale = (long) Math.ceil(SparseVectorPlan.scale(epsilon, acceptances, moved, mode));
    long steps = grid.steps(threshold);
    Charge charge =
        Charge.pure(
            "sparse-vector %s D=%d b=%d c=%d threshold=%d grid=2^-%d"
                .formatted(mode.word(), (long) moved, scale, acceptances, steps, grid.exponent()),
            PrivacyUnit.RECORD,
            Math.nextUp(epsilon.roundedDown()));
    return new SparseVector(grid, steps, scale, acceptances, mode, charge);
  }

  /** What the whole query costs. */
  public Charge charge() {
    return charge;
  }

  /** Scale b of the threshold's noise, in the unit of distances. */
  @Override
  public double scale() {
    return scaleSteps * grid.step();
  }

  @Override
  public void frame(Framing framing) {
    framing.text("sparse vector").number(grid.exponent()).number(thresholdSteps).number(scaleSteps);
  }

  /**
   * Secret state of a query.
   *
   * @param noisyThreshold in steps
   * @param accepted so far
   */
  public record State(long noisyThreshold, long accepted) {}

  /**
   * One answer.
   *
   * @param accepted whether the candidate is accepted
   * @param next state for the next candidate
   */
  public record Answer(boolean accepted, State next) {}

  /** The state before the first candidate. */
  public State start(ReplayableRandom random) {
    return new State(thresholdSteps + laplace(1).sample(random), 0);
  }

  /** Whether c acceptances were given: nothing more is answered. */
  public boolean isOver(State state) {
    return state.accepted() >= acceptances;
  }

  /**
   * Answers one candidate.
   *
   * @param rho finite, at least 0
   * @param forCandidate randomness of this candidate
   * @param forThreshold randomness of the next threshold, keyed with the number of acceptances;
   *     used only if the threshold is redrawn
   */
  public Answer answer(
      State state, double rho, ReplayableRandom forCandidate, ReplayableRandom forThreshold) {
    if (isOver(state)) {
      throw new IllegalStateException("the query is over: " + acceptances + " were accepted");
    }
    long noisy = grid.steps(rho) + laplace(2).sample(forCandidate);
    if (noisy > state.noisyThreshold()) {
      return new Answer(false, state);
    }
    long threshold =
        mode == Threshold.REDRAWN
            ? thresholdSteps + laplace(1).sample(forThreshold)
            : state.noisyThreshold();
    return new Answer(true, new State(threshold, state.accepted() + 1));
  }

  private DiscreteLaplace laplace(long times) {
    return new DiscreteLaplace(times * scaleSteps, 1);
  }
}
