// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.FeatureRelease;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Noisy sums of features of every subject and closed window.
 *
 * @param head name, topic and share
 * @param kept the features that the pipeline keeps
 * @param values names of a record's numbers, at least one
 * @param population what one user may add, where many users feed one subject
 * @param planSize PUBLIC guess of a window's records, for plans only
 */
public record FeatureSumsSpec(
    Head head,
    FeatureSpec kept,
    List<String> values,
    Optional<Population> population,
    long planSize)
    implements ReleaseSpec {
  @Override
  public Schema schema() {
    return FeatureRelease.getClassSchema();
  }

  @Override
  public PlannedFeatureSums plan() throws UnplannableException {
    CalibrationTarget request = head.request();
    return VectorCalibrator.fineGaussian(request, query(), sensitivity())
        .map(plan -> new PlannedFeatureSums(this, plan))
        .orElseThrow(() -> head.cannotAfford());
  }

  /** Numbers in a record, at least 1. */
  int dimensions() {
    return values.size();
  }

  /** What is drawn: the number of records too, where it is private. */
  private FeatureQuery query() {
    return population.isPresent()
        ? FeatureQuery.ofPrivateSize(kept.count())
        : FeatureQuery.ofPublicSize(kept.count());
  }

  /** How far neighbours lie apart. */
  private GridSensitivity sensitivity() {
    return population
        .map(
            users ->
                FeatureSensitivity.addOrRemove(kept.count(), users.records(), users.subjects()))
        .orElseGet(() -> FeatureSensitivity.replaceOne(kept.count()));
  }

  @Override
  public boolean measuresFeatures() {
    return true;
  }
}
