// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.BeginsAnew;
import io.sfumato.release.Plan;

/** What is possible where a file changes whose state lives. */
public final class ChangeAdvice {
  private static final String TRIAL =
      ". For a trial on an embedded broker a new folder will do: --data FOLDER";

  private static final String CARRY_OVER =
      "carry the ledger over, because a user pipeline cannot hand over to a new version in "
          + "place: write a file NEW whose budget and topics have new names, run 'sfumato ledger "
          + "export OLD --for NEW --to LEDGER' with the old file while its pipeline runs (or with "
          + "--stopped if it cannot run again: windows closed by then are never released), and "
          + "'sfumato ledger import NEW --from LEDGER' (docs/guides/change-a-pipeline.md)"
          + TRIAL;

  /** How the ledger goes on where a version cannot take over. */
  private static final String SEAL =
      "to keep the spent budget, change the file and its budget's name, seal the ledger with "
          + "'sfumato ledger export OLD --for NEW --to LEDGER', and run 'sfumato ledger import "
          + "NEW --from LEDGER'";

  private ChangeAdvice() {}

  /** Keepers of users and of subjects cannot hand over, in words that follow "or". */
  private static String carryOver(Pipeline pipeline) {
    return CARRY_OVER + BeginsAnew.of(pipeline).map(line -> ". Beware: " + line).orElse("");
  }

  /** How a changed file goes on, in words that follow "or". */
  public static String file(Pipeline pipeline) {
    return pipeline.population().isPresent()
        ? carryOver(pipeline)
        : "raise 'version' and announce the file with 'sfumato activate FILE' while the old one"
            + " runs";
  }

  /**
   * The same where it is known what the budget has granted: nobody is told to carry over what an
   * import would refuse.
   *
   * @param granted what the budget has granted so far
   * @param plan of the changed file
   */
  static String file(BudgetTerms granted, Plan plan) {
    Pipeline pipeline = plan.pipeline();
    return pipeline.population().isPresent()
        ? CarriedTerms.refusal(granted, plan)
            .map(
                why ->
                    "start with new names for the pipeline and its budget, whose loss adds to "
                        + "the former one. "
                        + notCarriedOver(why)
                        + TRIAL)
            .orElseGet(() -> carryOver(pipeline))
        : file(pipeline);
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
    return pipeline.population().isPresent()
        ? carryOver(pipeline)
        : "rotate: raise 'version' and announce it with 'sfumato activate FILE --secret-file NEW"
            + " --former-secret-file OLD'";
  }

  /** How a version goes on that nobody has announced. */
  static String version(Pipeline pipeline, int theirs, int mine) {
    return pipeline.population().isPresent()
        ? "put version %d back, or %s".formatted(theirs, carryOver(pipeline))
        : "version %d has not been activated, or version %d has not received the activation yet. Run 'sfumato activate FILE' while version %d runs"
            .formatted(mine, theirs, theirs);
  }
}
