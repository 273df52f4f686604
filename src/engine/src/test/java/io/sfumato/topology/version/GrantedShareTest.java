// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.PrivacyFilter;
import org.junit.jupiter.api.Test;

/** What is said of shares that do not go on. */
class GrantedShareTest {
  /** Kept texts are never read by people as they are. */
  @Test
  void countingsAreTheirTextsInWords() {
    String laplace = new PrivacyFilter.FixedCountFilter("laplace scale=3, steps=2", 52).canonical();
    assertThat(GrantedShare.words(laplace + ", every 3 windows"))
        .isEqualTo("at most 52 releases of laplace scale=3, steps=2, every 3 windows");
    assertThat(GrantedShare.words(new PrivacyFilter.RenyiFilter(5, 123).canonical()))
        .isEqualTo("Renyi order 5, at most 123 units");
    assertThat(GrantedShare.words(new PrivacyFilter.PureDpFilter(123).canonical()))
        .isEqualTo("pure epsilon, at most 123 units");
  }
}
