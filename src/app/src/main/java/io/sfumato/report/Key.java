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
            "a file that its owner alone can read (--secret-file), on every instance; made by 'sfumato secret'. Keep it as long as the budget lives",
            "take the noise out of every release that was drawn with it, past ones included",
            rotation(file, pipeline)),
        new Key(
            "tick key, one of the budget, made of the secret",
            "whoever closes windows; made by 'sfumato tick-key'",
            pipeline.window().ticks() == WindowSpec.Ticks.TRUSTED
                ? "nothing: this file trusts the ticks of all who may write records"
                : "close windows early, by window.max-ahead at most where brokers stamp records",
            "with the noise secret"),
        new Key(
            "keys of noise, log tags and registries, made of the secret (HKDF-SHA256)",
            "in memory alone",
            "as the secret",
            "with the noise secret"),
        new Key(
            "client certificates and passwords of Kafka",
            "--config file, or the environment",
            "what the principal may",
            "as the cluster does it"));
  }

  private static String rotation(String file, Pipeline pipeline) {
    String how =
        pipeline.population().isPresent()
            ? "where users are protected no version hands over to another: a file NEW with a new budget, 'sfumato ledger export OLD --for NEW --to FILE', 'sfumato ledger import NEW --from FILE' with the new secret"
            : "a new version: 'sfumato activate %s --secret-file NEW --former-secret-file OLD', from a window's start on"
                .formatted(Shell.file(file));
    return how + ". What was drawn before stays as exposed as the old secret";
  }
}
