// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoiseKeyTest {
  private static final String HEX =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";
  private static final ReleaseId ID =
      new ReleaseId("diary", new StateEpoch(1, 2), 1, "weekly", "p01", 0, 0);

  private final NoiseKey key = NoiseSecret.parse(HEX).derive();

  @Test
  void hkdfMatchesTheFirstTestVectorOfRfc5869() {
    HexFormat hex = HexFormat.of();
    byte[] prk =
        Hkdf.extract(
            hex.parseHex("000102030405060708090a0b0c"),
            hex.parseHex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"));
    assertThat(hex.formatHex(prk))
        .isEqualTo("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    assertThat(hex.formatHex(Hkdf.expand(prk, hex.parseHex("f0f1f2f3f4f5f6f7f8f9"), 42)))
        .isEqualTo(
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  }

  @Test
  void sameIdAndInputGiveTheSameNoise() {
    byte[] digest = new CanonicalEncoder().numbers(new long[] {1, 2}).digest();
    assertThat(draws(key.forRelease(ID, digest))).isEqualTo(draws(key.forRelease(ID, digest)));
  }

  @Test
  void everyFieldOfTheIdAndTheInputChangesTheNoise() {
    byte[] digest = new CanonicalEncoder().numbers(new long[] {1, 2}).digest();
    byte[] otherInput = new CanonicalEncoder().numbers(new long[] {2, 1}).digest();
    ReleaseId[] others = {
      new ReleaseId("diarx", new StateEpoch(1, 2), 1, "weekly", "p01", 0, 0),
      new ReleaseId("diary", new StateEpoch(1, 3), 1, "weekly", "p01", 0, 0),
      new ReleaseId("diary", new StateEpoch(2, 2), 1, "weekly", "p01", 0, 0),
      new ReleaseId("diary", new StateEpoch(1, 2), 2, "weekly", "p01", 0, 0),
      new ReleaseId("diary", new StateEpoch(1, 2), 1, "weeklyp", "01", 0, 0),
      new ReleaseId("diary", new StateEpoch(1, 2), 1, "weekly", "p02", 0, 0),
      new ReleaseId("diary", new StateEpoch(1, 2), 1, "weekly", "p01", 1, 0),
      new ReleaseId("diary", new StateEpoch(1, 2), 1, "weekly", "p01", 0, 1),
    };
    long[] first = draws(key.forRelease(ID, digest));
    assertThat(draws(key.forRelease(ID, otherInput))).isNotEqualTo(first);
    for (ReleaseId other : others) {
      assertThat(draws(key.forRelease(other, digest))).as(other.text()).isNotEqualTo(first);
    }
    NoiseKey otherKey = NoiseSecret.parse(HEX.replace('0', '1')).derive();
    assertThat(draws(otherKey.forRelease(ID, digest))).isNotEqualTo(first);
    assertThat(otherKey.tag()).isNotEqualTo(key.tag());
  }

  @Test
  void aStateEpochIsReadAsItIsWritten() {
    StateEpoch life = new StateEpoch(-1, 2);
    assertThat(life).hasToString("ffffffffffffffff0000000000000002");
    assertThat(StateEpoch.parse(life.toString())).isEqualTo(life);
    assertThatThrownBy(() -> StateEpoch.parse("12")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void secretRefusesWhatIsNotThirtyTwoRandomBytesAndNeverRepeatsIt() {
    for (String bad : new String[] {"", "correct horse battery staple", "ab".repeat(31)}) {
      assertThatThrownBy(() -> NoiseSecret.parse(bad))
          .hasMessageContaining("64 hexadecimal digits")
          .hasMessageContaining("sfumato secret");
    }
    assertThatThrownBy(() -> NoiseSecret.parse("ab".repeat(32))).hasMessageContaining("pattern");
    assertThat(NoiseSecret.parse(HEX).toString()).doesNotContain(HEX.substring(0, 8));
  }

  @Test
  void secretFileMustBeReadableByItsOwnerAlone(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("noise.key");
    NoiseSecret.random().write(file);
    NoiseSecret.read(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> NoiseSecret.read(file)).hasMessageContaining("chmod 600");
  }

  private static long[] draws(KeyedRandom random) {
    return random.longs(300).toArray();
  }
}
