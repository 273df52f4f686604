// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.pipeline.AccountSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccountsTest {
  @Test
  void shouldCountAllThatStandBeforeWhetherOrNotTheyFit() throws Exception {
    Accounts.require(claim("a", "3"), List.of());
    assertThatThrownBy(() -> Accounts.require(claim("b", "3"), List.of(claim("a", "3"))))
        .hasMessageContaining("does not fit")
        .hasMessageContaining("together a 1 x (3, 0), b 1 x (3, 0)");
    // Its owner may have been granted it: by another log, with another key, at another time.
    assertThatThrownBy(
            () -> Accounts.require(claim("c", "2"), List.of(claim("a", "3"), claim("b", "3"))))
        .hasMessageContaining("does not fit");
  }

  @Test
  void shouldCountAShareOnceWhoeverHoldsItAndAtTheLargestThatIsSaid() throws Exception {
    List<AccountClaim> log =
        List.of(
            claim("a", "1").of("s"),
            claim("a", "4").of("s"),
            claim("heir", "2").of("s"),
            claim("heir of the heir", "4").of("s"));
    Accounts.require(claim("b", "1"), log);
    assertThatThrownBy(() -> Accounts.require(claim("b", "2"), log))
        .as("a later, smaller claim gives nothing back")
        .hasMessageContaining("together heir of the heir 1 x (4, 0), b 1 x (2, 0)");
  }

  /** Nobody can tell which of them is genuine, or whether both are. */
  @Test
  void shouldCountEachClaimThatNamesNoShareOrAnother() {
    for (String share : List.of("", "other")) {
      List<AccountClaim> log = List.of(claim("a", "2").of("s"), claim("a", "2").of(share));
      assertThatThrownBy(() -> Accounts.require(claim("b", "2"), log))
          .hasMessageContaining("a 1 x (2, 0), a 1 x (2, 0), b 1 x (2, 0)");
    }
    List<AccountClaim> both = List.of(claim("a", "2"), claim("a", "2"));
    assertThatThrownBy(() -> Accounts.require(claim("b", "2"), both))
        .hasMessageContaining("does not fit");
  }

  @Test
  void shouldNotTakeAnAccountOfOtherTermsWhereverTheyStand() {
    AccountClaim other = claim("x", "1", "50");
    for (List<AccountClaim> log : List.of(List.of(other), List.of(claim("a", "1"), other))) {
      assertThatThrownBy(() -> Accounts.require(claim("b", "1"), log))
          .hasMessageContaining("Write the same totals in all files of the account");
    }
  }

  @Test
  void shouldKeepWhatWasGranted() {
    assertThatCode(() -> Accounts.requireSame(claim("a", "2.0"), claim("a", "2")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Accounts.requireSame(claim("a", "1"), claim("a", "2")))
        .hasMessageContaining("A grant cannot change");
  }

  @Test
  void shouldReadWhatItWritesAndNothingThatTakesAllMemory() throws Exception {
    AccountClaim claim = claim("a", "0.25");
    assertThat(AccountClaim.read(claim.json())).contains(claim);
    assertThat(AccountClaim.read(claim.of("s").json())).contains(claim.of("s"));
    ObjectMapper json = new ObjectMapper();
    for (String number : List.of("1e-2000000000", "1E-99999", "", "-1", "NaN", "9".repeat(50))) {
      assertThat(AccountClaim.read(claim.json().put("epsilon", number))).as(number).isEmpty();
    }
    assertThat(AccountClaim.read(json.readTree("{}"))).isEmpty();
  }

  /** Nobody may have claimed between the former name and the new one what is not covered. */
  @Test
  void shouldKeepThePlaceOfAShareUnderAnotherName() throws Exception {
    List<SignedLog.Entry> log =
        List.of(
            entry(claim("a", "2").of("s"), false),
            entry(claim("b", "3").of("t"), false),
            entry(claim("forged", "5").of("u"), false));
    AccountLog.Place heir = AccountLog.Place.of(claim("heir", "2").of("s"), log);
    assertThat(heir.isThere()).isFalse();
    assertThat(heir.others()).isEmpty();
    assertThat(AccountLog.Place.of(claim("heir", "2.5").of("s"), log).others()).hasSize(3);
    assertThat(AccountLog.Place.of(claim("heir", "2").of(""), log).others()).hasSize(3);
    AccountLog.Place own = AccountLog.Place.of(claim("b", "3").of("t"), mine(log));
    assertThat(own.isThere()).isTrue();
    assertThat(own.others()).extracting(AccountClaim::budget).containsExactly("a");
    assertThat(AccountLog.Place.of(claim("b", "3").of("of another registry"), mine(log)).others())
        .as("what the budget lost before its registry was lost is another ledger's")
        .extracting(AccountClaim::budget)
        .containsExactly("a", "b", "forged");
  }

  private static List<SignedLog.Entry> mine(List<SignedLog.Entry> log) {
    return log.stream().map(e -> new SignedLog.Entry(e.key(), e.value(), e.at(), true)).toList();
  }

  private static SignedLog.Entry entry(AccountClaim claim, boolean isMine) {
    return new SignedLog.Entry(AccountLog.keyOf(claim), claim.json(), 0, isMine);
  }

  private static AccountClaim claim(String budget, String epsilon) {
    return claim(budget, epsilon, "5");
  }

  private static AccountClaim claim(String budget, String epsilon, String total) {
    return new AccountClaim(
        new AccountSpec("people", Epsilon.of(total), Delta.of("1e-5")),
        budget,
        "record",
        "window",
        Epsilon.of(epsilon),
        Delta.of("0"),
        Optional.empty(),
        "");
  }
}
