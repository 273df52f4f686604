// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;

/** One output of a pipeline. */
public interface ReleaseSpec {
  /** Name of the output: also the default name of its topic. */
  String name();

  /** Topic that it is published to. */
  String topic();

  /** What it may spend of the budget. */
  ShareSpec share();

  /**
   * A part of the budget.
   *
   * @param epsilon added up over the shares, at most the budget's
   * @param delta likewise
   * @param ledger name under which its charges are kept; that of the release, unless an output that
   *     was renamed goes on with its old one
   */
  record ShareSpec(Epsilon epsilon, Delta delta, String ledger) {}
}
