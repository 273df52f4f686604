// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.bounds.BucketThreshold;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.PowersRule;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Schedule;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.BoundsRelease;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.avro.Schema;

/**
 * Private bounds of a number, for every subject once a budget period.
 *
 * @param head name, topic and share
 * @param value name of the number
 * @param place of it among {@code input.values}, from 0
 * @param population what one user may add, where many users feed one subject
 */
public record BoundsSpec(Head head, String value, int place, Optional<Population> population)
    implements ReleaseSpec {
  @Override
  public Schema schema() {
    return BoundsRelease.getClassSchema();
  }

  @Override
  public PlannedBounds plan() throws UnplannableException {
    return candidates().stream()
        .findFirst()
        .map(plan -> new PlannedBounds(this, plan))
        .orElseThrow(() -> head.cannotAfford());
  }

  /** The plan with the lower threshold first; none if the share affords none. */
  private List<Calibrated<CountMeasurement<BucketQuery>>> candidates() {
    Sensitivity sensitivity =
        population
            .map(users -> Sensitivity.addOrRemove(users.records()))
            .orElseGet(Sensitivity::replaceOne);
    if (share().delta().value().signum() == 0) {
      return VectorCalibrator.oncePure(
              share().ledger(), share().epsilon(), new BucketQuery(), sensitivity)
          .stream()
          .toList();
    }
    return BucketThreshold.lowestFirst(
        VectorCalibrator.once(head.request(), new BucketQuery(), sensitivity));
  }

  /** What is kept of records, of all categories together. */
  PowersRule rule() {
    return new PowersRule(place, 1);
  }

  @Override
  public List<RecordAggregation> tallies() {
    return List.of(rule());
  }

  @Override
  public Schedule schedule() {
    return Schedule.ONCE_A_PERIOD;
  }

  @Override
  public OptionalInt boundsFound() {
    return OptionalInt.of(place);
  }

  @Override
  public boolean remembers() {
    return true;
  }

  /** Bounds are a number's: an output that is renamed goes on with them, another's never. */
  @Override
  public String memory() {
    return "bounds of " + value;
  }
}
