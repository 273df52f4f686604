// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.MollifiedSample;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Synthetic items of every enrolled subject and closed window, records or none.
 *
 * @param head name, topic and share
 * @param items k, of each window, at least 1
 * @param sampler how they are drawn
 * @param reference Q0; public
 * @param planSize PUBLIC guess of a window's records, for plans only
 */
public record MollifierSpec(
    Head head, int items, Sampler sampler, Reference reference, int planSize)
    implements ReleaseSpec {

  @Override
  public Schema schema() {
    return MollifiedSample.getClassSchema();
  }

  @Override
  public PlannedMollifier plan() throws UnplannableException {
    try {
      return MollifierCalibrator.plan(this);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UnplannableException(e);
    }
  }

  @Override
  public List<String> conflicts(BudgetSpec budget, Optional<Population> population) {
    // An item costs the same however few records a user has in its subject: S of them would add up,
    // where the user is charged once.
    return population.isEmpty()
        ? List.of()
        : List.of(
            "field 'releases': items are of subjects that are users; with 'input.user' histograms and counts only");
  }

  @Override
  public boolean drawsFromNumbers() {
    return reference.numbers().isPresent();
  }
}
