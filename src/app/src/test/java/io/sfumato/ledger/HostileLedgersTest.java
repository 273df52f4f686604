// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.random.Sha256;
import io.sfumato.runtime.RefusedException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ledger files and entries of the registry that somebody made by hand. */
class HostileLedgersTest {
  private static final String CLAIM =
      "{\"account_epsilon\":\"2\",\"account_delta\":\"1E-6\",\"unit\":\"record\",\"period\":\"lifetime\",\"epsilon\":\"%s\",\"delta\":\"%s\"}";

  @TempDir Path folder;

  /** With a digest that fits, so that the lines themselves are read. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | \"terms\":\"[^\"]*\" | \"terms\":\"AAAA\"",
        "0 | \"terms\":\"[^\"]*\" | \"terms\":\"%%%\"",
        "0 | \"terms\":\"[^\"]*\" | \"terms\":{}",
        "1 | \"charges\":\\{[^}]*} | \"charges\":{\"x\":1}",
        "1 | \"charges\":\\{[^}]*} | \"charges\":{\"0\":-1}",
        "1 | \"charges\":\\{[^}]*} | \"charges\":{\"-5\":9223372036854775807}",
        "1 | \"charges\":\\{[^}]*} | \"charges\":{\"99999999999\":1}",
        "1 | \"subject\":\"ann\" | \"subject\":\"ann",
      })
  void shouldSayThatAFileIsDamagedWhateverItsLinesSay(int line, String what, String by)
      throws Exception {
    List<String> lines = pinned();
    assertThat(lines.get(line)).containsPattern(what);
    lines.set(line, lines.get(line).replaceFirst(what, by.replace("\\", "\\\\")));
    assertThatThrownBy(() -> LedgerFile.read(signed(lines)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is damaged or incomplete");
  }

  @Test
  void shouldReadWhatIsSignedAnew() throws Exception {
    assertThat(LedgerFile.read(signed(pinned())).ledgers()).isEqualTo(3);
  }

  private List<String> pinned() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("pinned.ledger")) {
      return new ArrayList<>(
          List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")));
    }
  }

  private Path signed(List<String> lines) throws Exception {
    MessageDigest digest = Sha256.digest();
    List<String> body = lines.subList(0, lines.size() - 1);
    body.forEach(line -> digest.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
    List<String> all = new ArrayList<>(body);
    all.add(
        "{\"ledgers\":%d,\"sha256\":\"%s\"}"
            .formatted(body.size() - 1, HexFormat.of().formatHex(digest.digest())));
    return Files.write(folder.resolve("by-hand.ledger"), all);
  }

  /** Nobody writes them out, which would take gigabytes. */
  @Timeout(60)
  @ParameterizedTest
  @ValueSource(
      strings = {"1e-999999999", "1e-2147483647", "1e2147483647", "NaN", "", "0.1e+999", "-1", "²"})
  void shouldPassOverClaimsOfNumbersThatAreNone(String number) {
    List<SignedLog.Entry> log = new ArrayList<>();
    entry("claim/all/mallory", CLAIM.formatted(number, "1E-7")).ifPresent(log::add);
    entry("claim/all/mallory", CLAIM.formatted("1", number)).ifPresent(log::add);
    entry("claim/all/honest", CLAIM.formatted("1", "1E-7")).ifPresent(log::add);
    List<AccountClaim> claims =
        log.stream().map(AccountLog::claim).flatMap(Optional::stream).toList();
    assertThat(claims).extracting(AccountClaim::budget).containsExactly("honest");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "[", "7", "{\"at\":{}}", "[[[[[[", "\"x\"", "{\"budget\":1e999}"})
  void shouldPassOverEntriesThatSayNothing(String value) {
    List<SignedLog.Entry> log = new ArrayList<>();
    for (String key :
        List.of("claim/", "claim", "claim//", "claim/a/b", "started/b", "sealed", "x", "", "\0")) {
      entry(key, value).ifPresent(log::add);
    }
    assertThat(log).allMatch(entry -> AccountLog.claim(entry).isEmpty());
  }

  private static Optional<SignedLog.Entry> entry(String key, String value) {
    return new SignedLog(null, AccountLog.TOPIC, "", Optional.empty())
        .entry(
            new ConsumerRecord<>(
                AccountLog.TOPIC,
                0,
                0,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)));
  }
}
