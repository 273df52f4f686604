// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Sized;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.mollifier.ItemData;
import java.util.Optional;
import java.util.OptionalLong;

/** What was kept of a subject's closed window: exact, hence handed on as a secret alone. */
public interface WindowData extends Sized {
  /** Counts by category, where records have one. */
  Optional<Histogram> histogram();

  /** How many of users' records do not count; empty where nobody asks. */
  OptionalLong leftOut();

  /** How many users have records that count; empty where the file does not look for subjects. */
  OptionalLong users();

  /** Distinct users by their cells, as {@link Pipeline#cells} says; empty where nobody asks. */
  Optional<SparseSums> cells();

  /** Sums of features, where the file keeps them of numbers. */
  Optional<FeatureSum> features();

  /**
   * What a release keeps of records one by one.
   *
   * @throws java.util.NoSuchElementException if no release of the file has this rule
   */
  SparseSums tally(RecordAggregation rule);

  /** As samplers of items see it. */
  ItemData items();
}
