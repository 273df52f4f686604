// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import java.util.Optional;

/**
 * The first line of a ledger file: what all ledgers in it have in common.
 *
 * @param budget whose ledger it is
 * @param image what the budget granted, and where it was sealed
 * @param account name of the account that the budget has a share of, empty if it has none
 * @param share identifies that share; empty if it has none, or if it is not known
 * @param destination that alone may import the file; absent if it was exported for no pipeline
 */
public record LedgerFacts(
    String budget,
    LedgerImage image,
    String account,
    String share,
    Optional<Destination> destination) {

  /**
   * The pipeline that a ledger was exported for.
   *
   * @param pipeline name of the pipeline
   * @param budget name of its budget
   * @param plan digest of the plan that was checked before the ledger was sealed, hexadecimal
   */
  public record Destination(String pipeline, String budget, String plan) {
    /** That of a plan. */
    public static Destination of(Plan plan) {
      Pipeline pipeline = plan.pipeline();
      return new Destination(pipeline.name(), pipeline.budget().name(), plan.digestText());
    }

    /** Whether both have the same names, whatever their files say. */
    boolean hasNamesOf(Destination other) {
      return pipeline.equals(other.pipeline) && budget.equals(other.budget);
    }
  }

  /** The share that whoever goes on with the ledger takes over. */
  InheritedShare inherited() {
    return new InheritedShare(account, share);
  }

  /** Those of a ledger of no account that was exported for no pipeline. */
  public static LedgerFacts of(String budget, LedgerImage image) {
    return new LedgerFacts(budget, image, "", "", Optional.empty());
  }
}
