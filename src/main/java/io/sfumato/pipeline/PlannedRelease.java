// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.noise.Framing;
import java.util.Optional;

/** One output with its parameters. */
public interface PlannedRelease {
  ReleaseSpec spec();

  /** What it may spend, and how that is counted. */
  Share share();

  /** What one release, or one query, costs. */
  Charge charge();

  /**
   * What of it bears on what is released, beside its name, topic, charge and share. States that
   * live were made with these very texts and numbers: they never change.
   */
  void digest(Framing digest);

  /**
   * What earlier programs planned from the same file, at what it truly costs; nothing where they
   * planned the same. A budget that was granted so goes on with it.
   */
  default Optional<PlannedRelease> formerly() {
    return Optional.empty();
  }
}
