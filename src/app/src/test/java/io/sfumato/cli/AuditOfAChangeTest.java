// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code sfumato audit --former} prints. */
class AuditOfAChangeTest {
  private static final String FILE =
      """
      pipeline: visits
      version: 1
      input: { topic: in, format: json, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2 }
      subjects: [north]
      window: { size: 1d, grace: 1h, clock: ticks, begin: 2026-06-01 }
      budget: { name: visits, unit: user, epsilon: 1, delta: 1e-6, period: 3d }
      releases:
        - count: { name: visits, by: total, share: { epsilon: 1, delta: 1e-6 } }
      """;

  @TempDir Path folder;

  private Path former;
  private Path next;

  @BeforeEach
  void write() throws IOException {
    former = Files.writeString(folder.resolve("one.yaml"), FILE);
    next =
        Files.writeString(
            folder.resolve("two.yaml"),
            FILE.replace("version: 1", "version: 2").replace("per-window: 2", "per-window: 1"));
  }

  private CommandResult audit(String... more) {
    String[] arguments = {
      "audit",
      next.toString(),
      "--former",
      former.toString(),
      "--neighbours",
      "6",
      "--windows",
      "6",
      "--random-logs",
      "0"
    };
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return CommandResult.of(all);
  }

  @Test
  void shouldSayWhatBothVersionsLose() throws IOException {
    CommandResult text = audit();
    assertThat(text.out()).contains("both versions: at most ", "what one period affords");
    assertThat(text.code()).isZero();
    JsonNode json = new ObjectMapper().readTree(audit("-o", "json").out());
    assertThat(json.path("former_plan").asText()).isNotEqualTo(json.path("plan").asText());
    assertThat(json.path("shared_loss_ratio_max").asDouble()).isBetween(0.3, 1.0);
  }

  @Test
  void shouldRefuseAVersionThatCannotTakeOver() throws IOException {
    Files.writeString(next, FILE);
    CommandResult result = audit();
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("cannot be replayed", "raise 'version'");
  }
}
