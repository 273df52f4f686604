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
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccountsTest {
  @Test
  void shouldGrantByLogOrderAsLongAsItFits() {
    List<Claim> log = List.of(claim("a", "3"), claim("b", "3"), claim("c", "2"));
    assertThat(Accounts.holding("people", log, Map.of()))
        .extracting(Claim::budget)
        .containsExactly("a", "c");
  }

  @Test
  void shouldCountTheLargestOfWhatIsClaimedInOneName() {
    // Whichever of them is genuine: who cannot tell refuses rather than grants.
    List<Claim> log = List.of(claim("a", "1"), claim("a", "4"), claim("b", "2"));
    assertThat(Accounts.holding("people", log, Map.of()))
        .extracting(Claim::budget, claim -> claim.epsilon().toString())
        .containsExactly(org.assertj.core.groups.Tuple.tuple("a", "4"));
    List<Claim> smaller = List.of(claim("a", "4"), claim("a", "1"), claim("b", "2"));
    assertThatThrownBy(() -> Accounts.require(claim("b", "2"), smaller, Map.of()))
        .as("a later, smaller claim gives nothing back")
        .hasMessageContaining("Taken: a 1 x (4, 0), b 1 x (2, 0)");
  }

  @Test
  void shouldCountALedgerThatGoesOnOnceForItselfAndTwiceForOthers() {
    List<Claim> log = List.of(claim("a", "2"), claim("heir", "2"), claim("c", "2"));
    assertThatCode(() -> Accounts.require(claim("c", "2"), log, Map.of("a", "heir")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Accounts.require(claim("c", "2"), log, Map.of()))
        .hasMessageContaining("does not fit");
  }

  @Test
  void shouldNotTakeAnAccountOfOtherTerms() {
    Claim forged = claim("x", "1", "50");
    assertThatThrownBy(
            () -> Accounts.require(claim("a", "1"), List.of(forged, claim("a", "1")), Map.of()))
        .hasMessageContaining("agree on the account");
  }

  @Test
  void shouldKeepWhatWasGranted() {
    assertThatCode(() -> Accounts.requireSame(claim("a", "2.0"), claim("a", "2")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Accounts.requireSame(claim("a", "1"), claim("a", "2")))
        .hasMessageContaining("What was granted stays");
  }

  @Test
  void shouldReadWhatItWritesAndNothingThatTakesAllMemory() throws Exception {
    Claim claim = claim("a", "0.25");
    assertThat(Claim.read(claim.json())).contains(claim);
    ObjectMapper json = new ObjectMapper();
    for (String number : List.of("1e-2000000000", "1E-99999", "", "-1", "NaN", "9".repeat(50))) {
      assertThat(Claim.read(claim.json().put("epsilon", number))).as(number).isEmpty();
    }
    assertThat(Claim.read(json.readTree("{}"))).isEmpty();
  }

  private static Claim claim(String budget, String epsilon) {
    return claim(budget, epsilon, "5");
  }

  private static Claim claim(String budget, String epsilon, String total) {
    return new Claim(
        new AccountSpec("people", Epsilon.of(total), Delta.of("1e-5")),
        budget,
        "record",
        "window",
        Epsilon.of(epsilon),
        Delta.of("0"),
        Optional.empty());
  }
}
