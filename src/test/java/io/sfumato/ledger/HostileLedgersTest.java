package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.noise.Sha256;
import io.sfumato.runtime.RefusedException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
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
      "{\"account_epsilon\":\"2\",\"account_delta\":\"1e-6\",\"unit\":\"record\",\"period\":\"lifetime\",\"epsilon\":\"%s\",\"delta\":\"%s\"}";

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
    List<String> lines = earlier();
    assertThat(lines.get(line)).containsPattern(what);
    lines.set(line, lines.get(line).replaceFirst(what, by.replace("\\", "\\\\")));
    assertThatThrownBy(() -> LedgerFile.read(signed(lines)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is damaged or incomplete");
  }

  @Test
  void shouldReadWhatIsSignedAnew() throws Exception {
    assertThat(LedgerFile.read(signed(earlier())).ledgers()).isEqualTo(3);
  }

  private List<String> earlier() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("earlier.ledger")) {
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
    Registry.Contents contents = contents();
    take(contents, "claim/all/mallory", CLAIM.formatted(number, "1e-7"));
    take(contents, "claim/all/mallory", CLAIM.formatted("1", number));
    take(contents, "claim/all/honest", CLAIM.formatted("1", "1e-7"));
    assertThat(Accounts.holding("all", contents.claims(), contents.continued()))
        .extracting(Claim::budget)
        .containsExactly("honest");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "[", "7", "{\"at\":{}}", "[[[[[[", "\"x\"", "{\"budget\":1e999}"})
  void shouldPassOverEntriesThatSayNothing(String value) {
    Registry.Contents contents = contents();
    for (String key : List.of("claim/", "claim", "claim//", "started/", "sealed", "x", "", "\0")) {
      take(contents, key, value);
    }
    assertThat(contents.claims()).isEmpty();
    assertThat(contents.starts()).isEmpty();
    assertThat(contents.sealed()).isEmpty();
  }

  private static Registry.Contents contents() {
    return new Registry.Contents(
        new ArrayList<>(), new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
  }

  private static void take(Registry.Contents contents, String key, String value) {
    Registry.takeIfOurs(
        new ConsumerRecord<>(
            Registry.TOPIC,
            0,
            0,
            key.getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8)),
        contents);
  }
}
