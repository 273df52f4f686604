// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;

/** What is possible where a file changes whose state lives. */
public final class ChangeAdvice {
  /** How the ledger goes on where a version cannot take over. */
  private static final String SEAL =
      "to keep the spent budget, change the file and its budget's name, seal the ledger with "
          + "'sfumato ledger export OLD --for NEW --to LEDGER', and run 'sfumato ledger import "
          + "NEW --from LEDGER'";

  private ChangeAdvice() {}

  /** How a changed file goes on, in words that follow "or". */
  public static String file(Pipeline pipeline) {
    return pipeline.discoversAmongUsers()
        ? SEAL
        : "raise 'version' and announce the file with 'sfumato activate FILE' while the old one"
            + " runs";
  }

  /** How a change goes on that no version may make, as a sentence without an end. */
  static String seal(BudgetTerms granted, Plan plan) {
    return CarriedTerms.refusal(granted, plan).map(ChangeAdvice::notCarriedOver).orElse(SEAL);
  }

  private static String notCarriedOver(String why) {
    return "The ledger cannot be carried over to this file: " + why;
  }

  /** How another noise key goes on. */
  static String key(Pipeline pipeline) {
    return pipeline.discoversAmongUsers()
        ? SEAL
        : "rotate: raise 'version' and announce it with 'sfumato activate FILE --secret-file NEW"
            + " --former-secret-file OLD'";
  }

  /** How a version goes on that nobody has announced. */
  static String version(int theirs, int mine) {
    return "version %d has not been activated, or version %d has not received the activation yet. Run 'sfumato activate FILE' while version %d runs"
        .formatted(mine, theirs, theirs);
  }
}
