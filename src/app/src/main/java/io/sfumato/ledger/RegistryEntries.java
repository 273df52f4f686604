// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.text.ControlCharEscaper;
import java.util.Optional;

/**
 * What the entries of some writers say together.
 *
 * @param sealed when the ledger was exported
 * @param continued the budget that it goes on as
 * @param started the file that the budget was started with
 * @param granted share of an account
 * @param adopted whether the key said that it signs the entries
 * @param begun whether the budget has begun, and with which state
 * @param awaited the sealed budget whose ledger this one must import before it runs
 * @param inherited the share of an account that it goes on with then
 */
public record RegistryEntries(
    Optional<String> sealed,
    Optional<String> continued,
    Optional<Started> started,
    Optional<AccountClaim> granted,
    boolean adopted,
    Begun begun,
    Optional<String> awaited,
    InheritedShare inherited) {
  static final RegistryEntries NONE = ofKey(false);

  /** Those of a key that took the budget over, or did not, and says nothing else. */
  public static RegistryEntries ofKey(boolean adopted) {
    return new RegistryEntries(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        adopted,
        Begun.NOT,
        Optional.empty(),
        InheritedShare.NONE);
  }

  /** What lets the ledger be charged no more, in words; also by a seal that another key signed. */
  Optional<String> ended() {
    return sealed
        .map(at -> "was sealed at " + ControlCharEscaper.of(at))
        .or(() -> continued.map(by -> "continues as budget '" + ControlCharEscaper.of(by) + "'"));
  }

  RegistryEntries with(SignedLog.Entry entry) {
    JsonNode value = entry.value();
    return switch (entry.key()) {
      case Registry.SEALED -> sealed(sealed.or(() -> text(value, "at")));
      case Registry.CONTINUED -> continued(continued.or(() -> text(value, "by")));
      case Registry.STARTED -> started(Started.read(value, entry.at()).or(() -> started));
      case Registry.GRANTED ->
          granted(AccountClaim.read(value).map(this::granted).or(() -> granted));
      case Registry.ADOPTED ->
          new RegistryEntries(sealed, continued, started, granted, true, begun, awaited, inherited);
      case Registry.BEGUN ->
          new RegistryEntries(
              sealed,
              continued,
              started,
              granted,
              adopted,
              Begun.read(value).map(begun::and).orElse(begun),
              awaited,
              inherited);
      case Registry.AWAITED ->
          new RegistryEntries(
              sealed,
              continued,
              started,
              granted,
              adopted,
              begun,
              awaited.or(() -> text(value, "from")),
              inherited.equals(InheritedShare.NONE) ? inherited(value) : inherited);
      default -> this;
    };
  }

  private static InheritedShare inherited(JsonNode value) {
    return new InheritedShare(value.path("account").asText(), value.path("share").asText());
  }

  private static Optional<String> text(JsonNode value, String field) {
    return Optional.of(value.path(field).asText());
  }

  private RegistryEntries sealed(Optional<String> at) {
    return new RegistryEntries(at, continued, started, granted, adopted, begun, awaited, inherited);
  }

  private RegistryEntries continued(Optional<String> by) {
    return new RegistryEntries(sealed, by, started, granted, adopted, begun, awaited, inherited);
  }

  private RegistryEntries started(Optional<Started> with) {
    return new RegistryEntries(
        sealed, continued, with, granted, adopted, begun, awaited, inherited);
  }

  /** What was granted first stays; said again it may say more of its windows. */
  private AccountClaim granted(AccountClaim later) {
    AccountClaim first = granted.orElse(later);
    boolean same =
        first.isOfSameBudget(later)
            && first.agreesWith(later)
            && first.isOfSamePeriods(later)
            && first.hasSameLosses(later);
    return same ? first.larger(later) : first;
  }

  private RegistryEntries granted(Optional<AccountClaim> claim) {
    return new RegistryEntries(
        sealed, continued, started, claim, adopted, begun, awaited, inherited);
  }
}
