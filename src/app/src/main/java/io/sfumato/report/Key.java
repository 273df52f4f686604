// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Shell;
import io.sfumato.pipeline.WindowSpec;
import java.util.List;

/**
 * A secret.
 *
 * @param name of it
 * @param where it lies
 * @param harm what whoever has it can do
 * @param rotation how it is changed, and what that does not mend
 */
public record Key(String name, String where, String harm, String rotation) {
  static List<Key> of(String file, Pipeline pipeline) {
    return List.of(
        new Key(
            "noise secret, 32 random bytes",
            "a file that only its owner can read (--secret-file), on every instance; created by "
                + "'sfumato secret'. Keep it for the lifetime of the budget",
            "remove the noise from every release that was drawn with it, including past ones",
            rotation(file, pipeline)),
        new Key(
            "tick key of the budget, derived from the secret",
            "at the ticker; created by 'sfumato tick-key'",
            pipeline.window().ticks() == WindowSpec.Ticks.TRUSTED
                ? "not needed: this file accepts ticks of everyone who may write records"
                : "close windows early, by window.max-ahead at most where brokers stamp records",
            "with the noise secret"),
        new Key(
            "keys for noise, log tags and registries, derived from the secret (HKDF-SHA256)",
            "in memory only",
            "do the same as with the secret",
            "with the noise secret"),
        new Key(
            "client certificates and passwords of Kafka",
            "--config file, or the environment",
            "use all rights of the principal",
            "by the cluster's procedure"));
  }

  private static String rotation(String file, Pipeline pipeline) {
    String how =
        pipeline.population().isPresent()
            ? "a user pipeline cannot hand over to a new version: write a file NEW with a new "
                + "budget, then run 'sfumato ledger export OLD --for NEW --to FILE' and "
                + "'sfumato ledger import NEW --from FILE' with the new secret"
            : "with a new version of the file, from the start of a window: 'sfumato activate %s --secret-file NEW --former-secret-file OLD'"
                .formatted(Shell.file(file));
    return how + ". Earlier releases stay as exposed as the old secret";
  }
}
