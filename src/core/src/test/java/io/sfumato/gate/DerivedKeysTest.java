// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from a noise secret, byte by byte, and what names a draw. */
class DerivedKeysTest {
  private static final String HEX =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";
  private static final HexFormat HEXADECIMAL = HexFormat.of();
  private static final NoiseSecret SECRET = NoiseSecret.parse(HEX);
  private static final NoiseKey KEY = SECRET.derive();
  private static final StateEpoch LIFE = new StateEpoch(1, -2);

  private static byte[] hmac(String label, byte[] message) {
    return new Hmac(Hkdf.derive(HEXADECIMAL.parseHex(HEX), label)).of(message);
  }

  private static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes).array();
  }

  private static byte[] numbers(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length);
    Arrays.stream(numbers).forEach(bytes::putLong);
    return bytes.array();
  }

  private static byte[] joined(byte[]... parts) {
    ByteBuffer bytes = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
    Arrays.stream(parts).forEach(bytes::put);
    return bytes.array();
  }

  /** FIPS 180-2, appendix B.1. */
  @Test
  void digestsAreThoseOfTheStandard() {
    byte[] abc = "abc".getBytes(StandardCharsets.UTF_8);
    assertThat(HEXADECIMAL.formatHex(Sha256.of(abc)))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  /** RFC 5869, test case 3: neither salt nor info. */
  @Test
  void hkdfNeedsNoSalt() {
    byte[] extracted = Hkdf.extract(new byte[0], HEXADECIMAL.parseHex("0b".repeat(22)));
    assertThat(HEXADECIMAL.formatHex(extracted))
        .isEqualTo("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04");
    assertThat(HEXADECIMAL.formatHex(Hkdf.expand(extracted, new byte[0], 42)))
        .isEqualTo(
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
  }

  @Test
  void hkdfGivesAsManyBytesAsAsked() {
    byte[] all = Hkdf.expand(new byte[32], new byte[3], 8160);
    for (int length : new int[] {1, 31, 32, 33, 64, 8159}) {
      assertThat(Hkdf.expand(new byte[32], new byte[3], length))
          .isEqualTo(Arrays.copyOf(all, length));
    }
    for (int length : new int[] {0, 8161}) {
      assertThatThrownBy(() -> Hkdf.expand(new byte[32], new byte[3], length))
          .hasMessageContaining("was " + length);
    }
  }

  /** Live states rest on each of them: which records and subjects of a user count. */
  @Test
  void ranksAreKeyedHashesOfPlaces() {
    byte[] place = joined(text("in"), numbers(3, 500));
    assertThat(KEY.rank("in", 3, 500))
        .isEqualTo(ByteBuffer.wrap(hmac("sfumato/log", place)).getLong())
        .isEqualTo(KEY.rank("in", 3, 500, 0));
    assertThat(KEY.rank("in", 3, 500, 2))
        .isEqualTo(ByteBuffer.wrap(hmac("sfumato/log", joined(place, numbers(2)))).getLong());
    byte[] subject = joined(text("subject of a user"), text("u1"), numbers(-7), text("west"));
    assertThat(KEY.rank("u1", -7, "west"))
        .isEqualTo(ByteBuffer.wrap(hmac("sfumato/log", subject)).getLong());
  }

  @Test
  void tagsNameKeysAndReleasesAndTellNothing() {
    byte[] fingerprint =
        hmac("sfumato/fingerprint", "sfumato noise key".getBytes(StandardCharsets.UTF_8));
    assertThat(KEY.tag()).isEqualTo(HEXADECIMAL.formatHex(fingerprint, 0, 8));
    assertThat(KEY.toString()).isEqualTo("NoiseKey[" + KEY.tag() + "]");
    byte[] encoded =
        joined(
            text("release id"),
            text("diary"),
            new byte[] {0, 0, 0, 16},
            numbers(1, -2, 3),
            text("weekly"),
            text("p01"),
            numbers(70_000, 4));
    assertThat(KEY.logTag(new ReleaseId("diary", LIFE, 3, "weekly", "p01", 70_000, 4)))
        .isEqualTo(HEXADECIMAL.formatHex(hmac("sfumato/log", encoded), 0, 8))
        .matches(NoiseKey.LOG_TAG);
  }

  @Test
  void whatIsSignedForOnePurposeIsForNoOther() {
    CanonicalEncoder facts = new CanonicalEncoder().text("facts");
    Set<String> signed = new HashSet<>();
    for (MacKey key : new MacKey[] {KEY.entriesOf("a"), KEY.entriesOf("b")}) {
      signed.add(HEXADECIMAL.formatHex(key.sign(facts), 0, 16));
      assertThat(key.toString()).isEqualTo("MacKey[masked]");
    }
    assertThat(signed).hasSize(2);
    assertThat(KEY.tickKey("diary").text()).isEqualTo(SECRET.tickKey("diary").text());
    assertThat(KEY.tickKey("diary").toString())
        .isEqualTo("TickKey[diary, " + KEY.tickKey("diary").tag() + "]");
    assertThatThrownBy(
            () -> KEY.forRelease(new ReleaseId("d", LIFE, 1, "o", "s", 0, 0), new byte[31]))
        .hasMessageContaining("found 31");
  }

  @Test
  void anIdIsReadable() {
    String life = "0000000000000001fffffffffffffffe";
    for (int again = 0; again < 2; again++) {
      assertThat(new ReleaseId("diary", LIFE, 1, "weekly", "p01", 0, 0).text())
          .isEqualTo("diary/" + life + "/v1/weekly/p01/1970-01-01T00:00:00Z/0");
      assertThat(new ReleaseId("diary", LIFE, 1, "weekly", "p01", 60_000, 2).text())
          .isEqualTo("diary/" + life + "/v1/weekly/p01/1970-01-01T00:01:00Z/2");
    }
    assertThatThrownBy(() -> new ReleaseId("d", LIFE, 0, "o", "s", 0, 0))
        .hasMessageContaining("were 0, 0");
    assertThatThrownBy(() -> new ReleaseId("d", LIFE, 1, "o", "s", 0, -1))
        .hasMessageContaining("were 1, -1");
  }

  @Test
  void aStateEpochIsSixteenBytes() {
    assertThat(StateEpoch.fromBytes(LIFE.toBytes())).isEqualTo(LIFE);
    assertThat(StateEpoch.random()).isNotEqualTo(StateEpoch.random());
    for (int length : new int[] {15, 17}) {
      assertThatThrownBy(() -> StateEpoch.fromBytes(new byte[length]))
          .hasMessageContaining("found " + length);
    }
  }

  /** However long it is, and wherever it has to grow. */
  @Test
  void framesAreWhatTheyAreMadeOf() throws Exception {
    for (int length : new int[] {0, 1, 247, 248, 251, 252, 253, 256, 300, 2000}) {
      String long1 = "x".repeat(length);
      CanonicalEncoder encoder =
          new CanonicalEncoder().text(long1).number(-5).numbers(new long[] {1, 1L << 60}).text("é");
      byte[] expected =
          joined(
              text(long1), numbers(-5), new byte[] {0, 0, 0, 2}, numbers(1, 1L << 60), text("é"));
      assertThat(encoder.toBytes()).isEqualTo(expected);
      assertThat(encoder.digest()).isEqualTo(MessageDigest.getInstance("SHA-256").digest(expected));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16})
  void aPatternIsNoSecret(int period) {
    String pattern = HEX.substring(64 - 2 * period);
    String repeated = pattern.repeat(32 / period);
    assertThatThrownBy(() -> NoiseSecret.parse(repeated)).hasMessageContaining("repeated pattern");
    assertThat(NoiseSecret.parse(repeated.substring(0, 62) + "77").derive().tag()).hasSize(16);
  }

  @Test
  void aSecretIsReadAsItWasWritten(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("noise.key");
    SECRET.write(file);
    assertThat(NoiseSecret.read(file).derive().tag()).isEqualTo(KEY.tag());
    assertThat(
            NoiseSecret.parse(" " + HEX.toUpperCase(java.util.Locale.ROOT) + "\n").derive().tag())
        .isEqualTo(KEY.tag());
    assertThat(NoiseSecret.random().derive().tag())
        .isNotEqualTo(NoiseSecret.random().derive().tag());
    assertThat(SECRET.toString()).isEqualTo("NoiseSecret[masked]");
    Path other = folder.resolve("other.key");
    Files.writeString(other, "ab".repeat(32));
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> NoiseSecret.read(other))
        .hasMessageStartingWith(other + ": ")
        .hasMessageNotContaining("abab");
  }
}
