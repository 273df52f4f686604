// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.TickKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SignedTickTest {
  private static final TickKey KEY =
      NoiseSecret.parse("00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f")
          .tickKey("clicks");

  private static final long TIME = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  @Test
  void shouldSayWhatItIsForInPlainText() {
    SignedTick tick = SignedTick.by(KEY, "clicks-eu", 7, TIME);
    assertThat(tick.text())
        .startsWith("2026-06-01T00:00:00Z;clicks;" + KEY.tag() + ";clicks-eu;7;")
        .endsWith(KEY.mac("clicks-eu", 7, TIME));
    assertThat(SignedTick.parse(tick.text())).contains(tick);
  }

  @Test
  void shouldHoldForItsTopicAndPartitionAlone() {
    SignedTick tick = SignedTick.by(KEY, "clicks-eu", 7, TIME);
    assertThat(tick.isSignedBy(KEY, "clicks-eu", 7)).isTrue();
    assertThat(tick.isSignedBy(KEY, "clicks-us", 7)).isFalse();
    assertThat(tick.isSignedBy(KEY, "clicks-eu", 6)).isFalse();
    SignedTick renamed =
        SignedTick.parse(tick.text().replace(";clicks-eu;", ";clicks-us;")).orElseThrow();
    assertThat(renamed.isSignedBy(KEY, "clicks-us", 7)).isFalse();
  }

  @Test
  void shouldNotReadATickWithoutATopic() {
    String text = SignedTick.by(KEY, "clicks-eu", 7, TIME).text();
    assertThat(SignedTick.parse(text.replace(";clicks-eu;", ";"))).isEmpty();
    assertThat(SignedTick.parse(text.replace(";clicks-eu;", ";;"))).isEmpty();
  }

  @Test
  void shouldReadTheLongestNameThatATopicMayHave() {
    SignedTick tick = SignedTick.by(KEY, "t".repeat(249), 999_999_999, TIME);
    assertThat(SignedTick.parse(tick.text())).contains(tick);
  }
}
