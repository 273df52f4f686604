// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.serde.SignedTick;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signed ticks for other clients, without a cluster. */
class TickCommandTest {
  private static final String SECRET =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";
  private static final String FILE = "topology/diary.yaml";
  private static final String DAY = "1991-10-08";

  @TempDir Path folder;

  private CommandResult result;

  @BeforeEach
  void secret() throws Exception {
    NoiseSecret.parse(SECRET).write(folder.resolve("noise.key"));
  }

  private int run(String... arguments) {
    result = CommandResult.of(arguments);
    return result.code();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<String> printed(String option, String file) {
    assertThat(run("tick", FILE, "--at", DAY, "--print", "--partitions", "3", option, path(file)))
        .as(result.err())
        .isZero();
    return result.out().lines().toList();
  }

  @Test
  void oneLineAPartitionThatTheBudgetTakes() {
    List<String> lines = printed("--secret-file", "noise.key");
    assertThat(lines).hasSize(3);
    for (int partition = 0; partition < 3; partition++) {
      String before = "-p %d -H sfumato-tick=".formatted(partition);
      assertThat(lines.get(partition)).startsWith(before);
      SignedTick tick =
          SignedTick.parse(lines.get(partition).substring(before.length())).orElseThrow();
      assertThat(tick.time()).isEqualTo(Instant.parse(DAY + "T00:00:00Z").toEpochMilli());
      assertThat(tick.isSignedBy(NoiseSecret.parse(SECRET).tickKey("diary"), "diary", partition))
          .isTrue();
    }
  }

  @Test
  void whoHasTheTickKeyAloneSignsTheSame() throws Exception {
    List<String> lines = printed("--secret-file", "noise.key");
    assertThat(run("tick-key", FILE, path("tick.key"), "--secret-file", path("noise.key")))
        .as(result.err())
        .isZero();
    assertThat(Files.getPosixFilePermissions(folder.resolve("tick.key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.readString(folder.resolve("tick.key"))).doesNotContain(SECRET);
    assertThat(printed("--tick-key", "tick.key")).isEqualTo(lines);
    assertThat(run("tick-key", FILE, path("tick.key"), "--secret-file", path("noise.key")))
        .as("no key is replaced")
        .isEqualTo(3);
    assertThat(
            run(
                "tick",
                "topology/demo.yaml",
                "--print",
                "--partitions",
                "1",
                "--tick-key",
                path("tick.key")))
        .isEqualTo(3);
    assertThat(result.err()).contains("holds the tick key of budget 'diary'");
  }

  @Test
  void shouldAskTheClusterForThePartitionsOfSeveralTopics() {
    assertThat(
            run(
                "tick",
                "topology/sources/clicks.yaml",
                "--print",
                "--partitions",
                "1",
                "--secret-file",
                path("noise.key")))
        .isEqualTo(2);
    assertThat(result.err()).contains("--partitions: only with one topic");
  }

  @Test
  void anEmbeddedClustersFolderHoldsTheSecret() {
    assertThat(printed("--data", "")).isEqualTo(printed("--secret-file", "noise.key"));
  }

  @Test
  void aKeyThatOthersCanReadIsRefused() throws Exception {
    Path open = Files.writeString(folder.resolve("open.key"), "x");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run("tick", FILE, "--print", "--partitions", "1", "--tick-key", open.toString()))
        .isEqualTo(3);
    assertThat(result.err()).contains("chmod 600");
    Path grouped = Files.writeString(folder.resolve("grouped.key"), "x");
    Files.setPosixFilePermissions(grouped, PosixFilePermissions.fromString("rw-r-----"));
    if (Files.getAttribute(grouped, "unix:uid").equals(0)) {
      // Root's own group is nobody else.
      Files.setAttribute(grouped, "unix:gid", 54_321);
    }
    assertThat(run("tick", FILE, "--print", "--partitions", "1", "--tick-key", grouped.toString()))
        .isEqualTo(3);
    assertThat(result.err()).contains("chmod 600 " + grouped);
  }

  @Test
  void whoTicksIsToldOfANewKeyAfterAnImport() {
    assertThat(LedgerImportCommand.tickers("diary", "diary-2"))
        .contains("a new tick key, for budget diary-2 (sfumato tick-key FILE KEYFILE)")
        .contains("ticks for diary do not advance its clocks");
  }

  @Test
  void theKeyThatSignedIsSaidByItsTag() throws Exception {
    String noise = NoiseSecret.parse(SECRET).derive().tag();
    String tag = NoiseSecret.parse(SECRET).tickKey("diary").tag();
    JsonNode derived = json("--secret-file", "noise.key");
    assertThat(derived.get("tick_key").asText()).isEqualTo(tag);
    assertThat(derived.get("noise_key").asText()).isEqualTo(noise);
    assertThat(derived.get("key_from").asText()).isEqualTo(path("noise.key"));
    assertThat(run("tick-key", FILE, path("tick.key"), "--secret-file", path("noise.key")))
        .isZero();
    JsonNode alone = json("--tick-key", "tick.key");
    assertThat(alone.get("tick_key").asText()).isEqualTo(tag);
    assertThat(alone.get("noise_key").isNull()).isTrue();
    assertThat(alone.get("key_from").asText()).isEqualTo(path("tick.key"));
  }

  private JsonNode json(String option, String file) throws Exception {
    assertThat(
            run(
                "tick",
                FILE,
                "--print",
                "--partitions",
                "1",
                option,
                path(file),
                "--output",
                "json"))
        .as(result.err())
        .isZero();
    return new ObjectMapper().readTree(result.out());
  }

  @Test
  void ticksAsJsonHavePartitionHeaderAndValue() throws Exception {
    String lines = printed("--secret-file", "noise.key").get(1);
    assertThat(
            run(
                "tick",
                FILE,
                "--at",
                DAY,
                "--print",
                "--partitions",
                "2",
                "--secret-file",
                path("noise.key"),
                "-o",
                "json"))
        .isZero();
    JsonNode tick = new ObjectMapper().readTree(result.out()).get("ticks").get(1);
    assertThat(tick.get("partition").asInt()).isEqualTo(1);
    assertThat(tick.get("header").asText()).isEqualTo("sfumato-tick");
    assertThat(lines).endsWith("=" + tick.get("value").asText());
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertThat(run("tick", FILE, "--partitions", "2", "--secret-file", path("noise.key")))
        .isEqualTo(2);
    assertThat(
            run("tick", FILE, "--print", "--partitions", "0", "--secret-file", path("noise.key")))
        .isEqualTo(2);
    assertThat(run("tick", FILE, "--at", "2999-01-01", "--secret-file", path("noise.key")))
        .isEqualTo(2);
    assertThat(result.err()).contains("the pipeline would refuse the tick");
    assertThat(run("tick", FILE, "--at", "1899-12-31", "--secret-file", path("noise.key")))
        .isEqualTo(2);
    assertThat(result.err()).contains("--at is before 1900");
    assertThat(run("skip-record", FILE, "other-0@1")).isEqualTo(2);
    assertThat(result.err()).contains("'other-0@1' is not a position in the records' topic");
    assertThat(run("skip-record", FILE, "diary-0")).isEqualTo(2);
  }
}
