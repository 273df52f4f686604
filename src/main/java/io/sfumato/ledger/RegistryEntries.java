// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.console.Visible;
import java.util.Optional;

/**
 * What the entries of some writers say together.
 *
 * @param sealed when the ledger was exported
 * @param continued the budget that it goes on as
 * @param started the file that the budget was started with
 * @param granted share of an account
 * @param adopted whether what earlier programs wrote was taken over
 */
public record RegistryEntries(
    Optional<String> sealed,
    Optional<String> continued,
    Optional<Started> started,
    Optional<Claim> granted,
    boolean adopted) {
  static final RegistryEntries NONE =
      new RegistryEntries(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

  /** What lets the ledger be charged no more, in words; also by a seal that another key signed. */
  Optional<String> ended() {
    return sealed
        .map(at -> "was sealed at " + Visible.of(at))
        .or(() -> continued.map(by -> "goes on as budget '" + Visible.of(by) + "'"));
  }

  RegistryEntries with(SignedLog.Entry entry) {
    return switch (entry.key()) {
      case Registry.SEALED ->
          new RegistryEntries(
              sealed.or(() -> Optional.of(entry.value().path("at").asText())),
              continued,
              started,
              granted,
              adopted);
      case Registry.CONTINUED ->
          new RegistryEntries(
              sealed,
              continued.or(() -> Optional.of(entry.value().path("by").asText())),
              started,
              granted,
              adopted);
      case Registry.STARTED ->
          new RegistryEntries(
              sealed,
              continued,
              Started.read(entry.value(), entry.at()).or(() -> started),
              granted,
              adopted);
      case Registry.GRANTED ->
          new RegistryEntries(
              sealed, continued, started, granted.or(() -> Claim.read(entry.value())), adopted);
      case Registry.ADOPTED -> new RegistryEntries(sealed, continued, started, granted, true);
      default -> this;
    };
  }
}
