// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TickKeyTest {
  private static final String SECRET =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";
  private static final TickKey KEY = NoiseSecret.parse(SECRET).tickKey("diary");

  private static byte[] hmac(byte[] key, byte[]... parts) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  private static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes).array();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  /** RFC 5869 and RFC 2104 by hand, so that another client can sign what this one takes. */
  @Test
  void signaturesAreHmacsUnderAKeyOfTheBudget() throws Exception {
    byte[] extracted =
        hmac("sfumato/hkdf/v1".getBytes(StandardCharsets.UTF_8), HexFormat.of().parseHex(SECRET));
    byte[] key =
        hmac(extracted, "sfumato/tick/diary".getBytes(StandardCharsets.UTF_8), new byte[] {1});
    byte[] mac =
        hmac(
            key,
            text("sfumato tick"),
            text("diary"),
            text("in"),
            number(3),
            number(1_780_272_000_000L));
    assertThat(KEY.mac("in", 3, 1_780_272_000_000L))
        .isEqualTo(HexFormat.of().formatHex(Arrays.copyOf(mac, 16)));
  }

  @Test
  void everyFactAndEveryKeyHasASignatureOfItsOwn() {
    Set<String> macs = new HashSet<>();
    for (String secret : new String[] {SECRET, SECRET.replace("00", "0f")}) {
      for (String budget : new String[] {"diary", "diary2", "d"}) {
        TickKey key = NoiseSecret.parse(secret).tickKey(budget);
        for (String topic : new String[] {"in", "in1"}) {
          for (int partition = 0; partition < 5; partition++) {
            for (long time = -2; time < 3; time++) {
              macs.add(key.mac(topic, partition, time));
              assertThat(key.verifies(topic, partition, time, key.mac(topic, partition, time)))
                  .isTrue();
            }
          }
        }
      }
    }
    assertThat(macs).hasSize(2 * 3 * 2 * 5 * 5).allMatch(mac -> mac.matches(TickKey.MAC));
  }

  @Test
  void aKeyRefusesWhatItDidNotSign() {
    String mac = KEY.mac("in", 0, 10);
    assertThat(KEY.verifies("in", 1, 10, mac)).isFalse();
    assertThat(KEY.verifies("on", 0, 10, mac)).as("a copy in another topic").isFalse();
    assertThat(KEY.verifies("in", 0, 11, mac)).isFalse();
    assertThat(KEY.verifies("in", 0, 10, mac.substring(1))).isFalse();
    assertThat(KEY.verifies("in", 0, 10, "")).isFalse();
    assertThat(KEY.verifies("in", 0, 10, mac.toUpperCase(Locale.ROOT)))
        .as("one form only")
        .isFalse();
    assertThat(KEY.verifies("in", 0, 10, mac.replaceAll(".", "z"))).isFalse();
    assertThat(NoiseSecret.parse(SECRET).tickKey("other").verifies("in", 0, 10, mac)).isFalse();
  }

  @Test
  void itsFileHoldsTheBudgetAndTheKeyAndNothingOfTheSecret() {
    TickKey read = TickKey.parse(KEY.text());
    assertThat(read.budget()).isEqualTo("diary");
    assertThat(read.tag()).isEqualTo(KEY.tag()).matches(TickKey.TAG);
    assertThat(read.mac("in", 1, 2)).isEqualTo(KEY.mac("in", 1, 2));
    assertThat(KEY.text()).doesNotContain(SECRET).endsWith("\n");
    assertThat(KEY.toString()).doesNotContain(KEY.text().split(" ")[2].strip());
    assertThat(KEY.tag())
        .as("not the noise key's")
        .isNotEqualTo(NoiseSecret.parse(SECRET).derive().tag());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sfumato-tick-key diary",
        "sfumato-tick-key diary 00",
        "tick-key diary 00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f",
        "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f"
      })
  void whatIsNoKeyIsRefusedWithoutBeingShown(String text) {
    assertThatThrownBy(() -> TickKey.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sfumato tick-key")
        .hasMessageNotContaining("0011");
  }
}
