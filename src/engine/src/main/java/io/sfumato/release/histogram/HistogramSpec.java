// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.HistoryRelease;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A private distribution over the categories, for every subject and closed window.
 *
 * @param head name, topic and share
 * @param method how it is made private
 * @param output what of it is published
 * @param accountant what bounds the loss
 * @param postProcessing from noisy counts to shares, for the method {@code gaussian}
 * @param reach from which releases shares are made
 * @param population what one user may add, where users are protected
 * @param model public guess of a dataset, on which the parameters are chosen
 * @param leastCount counts below it are raised to it, for a Dirichlet draw; 0 for none
 */
public record HistogramSpec(
    Head head,
    Method method,
    Output output,
    Accountant accountant,
    PostProcessing postProcessing,
    Reach reach,
    Optional<Population> population,
    PlanningModel model,
    long leastCount)
    implements ReleaseSpec {

  /** How a histogram is made private. */
  public enum Method {
    /** One Dirichlet draw: strictly positive, with a promise about its error. */
    DIRICHLET,
    /** Discrete Gaussian noise on the counts. */
    GAUSSIAN,
    /** Discrete Laplace noise on the counts. */
    LAPLACE,
    /** Of these the one with the least expected KL on the public plan. */
    BEST
  }

  /** What is published. */
  public sealed interface Output {
    /** Digests of plans hang on this text, so that it never changes. */
    String canonical();

    /** Shares on the grid 2^-40. */
    record Probabilities() implements Output {
      @Override
      public String canonical() {
        return "Probabilities[]";
      }
    }

    /**
     * Whole numbers of items.
     *
     * @param items how many in all, at least 1
     */
    record Counts(long items) implements Output {
      @Override
      public String canonical() {
        return "Counts[items=" + items + "]";
      }
    }
  }

  /** The same release by another method. */
  public HistogramSpec by(Method other) {
    return new HistogramSpec(
        head, other, output, accountant, postProcessing, reach, population, model, leastCount);
  }

  @Override
  public boolean usesHistory() {
    return reach == Reach.HISTORY;
  }

  @Override
  public boolean remembers() {
    return usesHistory();
  }

  /** What is learned is of another make than what other outputs of its name may have left. */
  @Override
  public String memory() {
    return "history of " + name();
  }

  @Override
  public Schema schema() {
    return usesHistory() ? HistoryRelease.getClassSchema() : DirichletRelease.getClassSchema();
  }

  @Override
  public PlannedHistogram plan() throws UnplannableException {
    List<HistogramPlan> candidates = HistogramCalibrator.candidates(this);
    HistogramPlan best =
        candidates.stream()
            .min(Comparator.comparingDouble(HistogramPlan::expectedKl))
            .orElseThrow(() -> head.cannotAfford());
    return new PlannedHistogram(this, best, candidates);
  }

  /** What neighbouring datasets differ in. */
  public Sensitivity sensitivity() {
    return population
        .map(people -> Sensitivity.addOrRemove(people.records()))
        .orElseGet(Sensitivity::replaceOne);
  }

  /** What the share must afford. */
  public CalibrationTarget request() {
    return head.request();
  }
}
