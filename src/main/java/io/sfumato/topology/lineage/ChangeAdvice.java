// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.lineage;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.BeginsAnew;

/** What is possible where a file changes whose state lives. */
public final class ChangeAdvice {
  private static final String CARRY_OVER =
      "carry the ledger over, since keepers of users and of subjects cannot hand over to a new version:"
          + " 'sfumato ledger export OLD --to LEDGER' with the old file while its pipeline runs (or with"
          + " --stopped where it cannot run again: what is closed by then is never released), then a file"
          + " whose budget and topics have new names,"
          + " and 'sfumato ledger import NEW --from LEDGER' (docs/operations.md). For a trial on an"
          + " embedded broker a new folder will do: --data FOLDER";

  private ChangeAdvice() {}

  /** Keepers of users and of subjects cannot hand over, in words that follow "or". */
  private static String carryOver(Pipeline pipeline) {
    return CARRY_OVER + BeginsAnew.of(pipeline).map(line -> ". Beware: " + line).orElse("");
  }

  /** How a changed file goes on, in words that follow "or". */
  public static String file(Pipeline pipeline) {
    return pipeline.population().isPresent()
        ? carryOver(pipeline)
        : "raise 'version' and announce the file with 'sfumato activate FILE' while the old one runs";
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
        : "nobody has announced version %d, or version %d has not heard of it yet. Announce it with 'sfumato activate FILE' while version %d runs"
            .formatted(mine, theirs, theirs);
  }
}
