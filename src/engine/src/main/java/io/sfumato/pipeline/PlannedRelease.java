// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.estimate.Calibrated;
import io.sfumato.inference.Inference;
import io.sfumato.random.CanonicalEncoder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** One output with its parameters. */
public interface PlannedRelease {
  /** What the file says of it. */
  ReleaseSpec spec();

  /** The share that it may spend, and the mechanism that spends it. */
  Calibrated<?> plan();

  /** What it may spend, and how that is counted. */
  default BudgetShare share() {
    return plan().share();
  }

  /** What one release, or one query, costs. */
  default PrivacyCost charge() {
    return plan().charge();
  }

  /**
   * The part of its share's delta that is no part of its charge, because no noise spends it: that a
   * name is published which one user alone has. Of all charges of a period together.
   */
  default BigDecimal deltaBesides() {
    return BigDecimal.ZERO;
  }

  /**
   * What of it bears on what is released, beside its name, topic, charge and share. States that
   * live were made with these very texts and numbers: they never change. Unless a kind says
   * otherwise, the text of its spec.
   */
  default void digest(CanonicalEncoder digest) {
    digest.text(spec().toString());
  }

  /** Whether what it publishes has a likelihood, so that models can be fitted to it. */
  default boolean hasLikelihood() {
    return false;
  }

  /** How a modeller would learn from it; nothing where nobody could. */
  default Optional<Inference> inference(Pipeline pipeline) {
    return Optional.empty();
  }

  /** What a plan says of it: at least its head, its share and its mechanism. */
  default Facts facts(Pipeline pipeline) {
    return Facts.of(plan().mechanism().method(), spec())
        .share(this)
        .row("mechanism")
        .mechanism(this);
  }

  /** What it is and on what its privacy rests, for whoever must sign for it. */
  default PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.UNKNOWN;
  }

  /**
   * What its bounds do to a PUBLIC example of records' numbers; nothing for most.
   *
   * @param rows one a record, in the order of {@code input.values}; at least one, finite
   */
  default Optional<Facts> onExample(double[][] rows) {
    return Optional.empty();
  }

  /**
   * How long texts and lists of the largest record are that it publishes, but for the fields that
   * every release has.
   */
  default Caps caps(Pipeline pipeline) {
    return new Caps();
  }

  /** The largest rows that it alone needs in stores; none for most. */
  default List<SizeBound> rows(Pipeline pipeline) {
    return List.of();
  }

  /**
   * Whether a law is fitted to each dataset first: it takes milliseconds, and learners may fail.
   */
  default boolean fitsLaws() {
    return false;
  }

  /** How it is drawn of closed datasets; nothing where it answers queries instead. */
  Optional<ReleaseSampler> sampler(Pipeline pipeline);

  /** How names that nobody listed are drawn of closed windows; nothing for most. */
  default Optional<NameSampler> names(Pipeline pipeline) {
    return Optional.empty();
  }

  /**
   * How exact inputs of its draws may differ between neighbours, and what is lost by it. Unless a
   * kind says otherwise, the audit compares losses alone.
   */
  default LossChecker<?> lossChecker() {
    return new LossOnlyChecker<>();
  }
}
