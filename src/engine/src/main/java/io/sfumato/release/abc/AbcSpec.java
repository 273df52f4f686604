// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.SparseVectorPlan;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.abc.Summary;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Answers to a modeller's candidates, from a subject's closed window.
 *
 * @param head name, topic and share
 * @param method how candidates are answered
 * @param measure which distance is measured
 * @param threshold of the distance, above 0
 * @param clip to which distances are clipped (rejection, summaries); at least the threshold
 * @param accountant what bounds the loss of a query
 * @param queries of one subject and period, at least 1
 * @param candidates the most that one query may have, at least 1
 * @param planSize public guess of the records in a window, for the plan's report only
 * @param keep for how many windows after its close a dataset answers
 * @param waiting limits of what waits for windows that are open
 */
public record AbcSpec(
    Head head,
    Method method,
    DistanceMeasure measure,
    double threshold,
    double clip,
    Accountant accountant,
    long queries,
    int candidates,
    long planSize,
    int keep,
    Waiting waiting)
    implements ReleaseSpec {

  @Override
  public Schema schema() {
    return method instanceof AbcSpec.Method.Soft
        ? AbcWeight.getClassSchema()
        : AbcDecision.getClassSchema();
  }

  @Override
  public PlannedAbc plan() throws UnplannableException {
    try {
      return new PlannedAbc(this, AbcCalibrator.plan(this));
    } catch (IllegalArgumentException e) {
      throw new UnplannableException(e);
    }
  }

  @Override
  public boolean stopsAdaptively() {
    return method instanceof Method.SparseVector;
  }

  @Override
  public List<String> conflicts(BudgetSpec budget, Optional<Population> population) {
    return budget.unit() == PrivacyUnit.RECORD
        ? List.of()
        : List.of(
            "field 'releases': abc answers tell how many records a window has, which only the unit"
                + " 'record' leaves public");
  }

  @Override
  public boolean answersQueries() {
    return true;
  }

  @Override
  public int candidateNumbers(Pipeline pipeline) {
    return measure.choose(
        new DistanceMeasure.Cases<Integer, RuntimeException>() {
          @Override
          public Integer features() {
            return pipeline.features().map(FeatureSpec::count).orElse(0);
          }

          @Override
          public Integer categories() {
            return pipeline.input().allCategories().size();
          }

          @Override
          public Integer summaries(Summaries summaries) {
            return summaries.list().size();
          }
        });
  }

  @Override
  public List<Summary> summaries() {
    return measure instanceof DistanceMeasure.OfSummaries of ? of.summaries().list() : List.of();
  }

  @Override
  public boolean drawsFromNumbers() {
    return measure instanceof DistanceMeasure.OfSummaries of && of.summaries().needSample();
  }

  @Override
  public boolean measuresFeatures() {
    return measure instanceof DistanceMeasure.Features;
  }

  /** The outputs of a pipeline that answer queries, in the file's order. */
  public static List<AbcSpec> of(Pipeline pipeline) {
    return pipeline.releases().stream()
        .filter(AbcSpec.class::isInstance)
        .map(AbcSpec.class::cast)
        .toList();
  }

  /** How candidates are answered. */
  public sealed interface Method {
    /** Each by a coin: accepted or not. */
    record Rejection() implements Method {}

    /** Each by its noisy distance, hence a weight. */
    record Soft() implements Method {}

    /**
     * Each by comparison with a noisy threshold, until {@code acceptances} were accepted.
     *
     * @param acceptances c, at least 1
     * @param threshold whether it is redrawn after each acceptance
     */
    record SparseVector(long acceptances, SparseVectorPlan.Threshold threshold) implements Method {}
  }

  /**
   * Limits of what waits, for each subject.
   *
   * @param entries most candidates
   * @param bytes most bytes of candidates
   * @param time longest time in the journal
   */
  public record Waiting(int entries, long bytes, Duration time) {
    /** Digests of plans hang on this text, so that it never changes. */
    public String canonical() {
      return String.format(
          Locale.ROOT, "Waiting[entries=%d, bytes=%d, time=%s]", entries, bytes, time);
    }
  }
}
