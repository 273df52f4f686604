// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts that fail, with a log for collectors: each line that a process prints is an object. */
@Tag("cluster")
class JsonLinesIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;

  @BeforeAll
  static void write() throws Exception {
    Files.writeString(folder.resolve("good.yaml"), HistogramFile.perWindow("json"));
    Files.writeString(folder.resolve("same.yaml"), HistogramFile.perWindow("json"));
    Files.writeString(folder.resolve("wrong.yaml"), "pipeline: wrong\nbudgit: 1\ninput: \n");
    NoiseSecret.random().write(folder.resolve("key"));
    Files.writeString(folder.resolve("open"), "authorization=canary");
  }

  /** Objects that a process prints, of which each has a level and a text. */
  static List<JsonNode> parsed(Path log) throws Exception {
    return Files.readAllLines(log).stream().map(JsonLinesIT::parsed).toList();
  }

  /** What people read in the lines that are whole, while a process may be writing the next. */
  static String text(Path log) throws Exception {
    String written = Files.readString(log);
    return written
        .substring(0, written.lastIndexOf('\n') + 1)
        .lines()
        .map(line -> parsed(line).path("formattedMessage").asText())
        .collect(Collectors.joining("\n"));
  }

  private static JsonNode parsed(String line) {
    try {
      JsonNode object = JSON.readTree(line);
      assertThat(object.isObject()).as(line).isTrue();
      assertThat(object.path("level").asText()).as(line).isNotEmpty();
      assertThat(object.path("formattedMessage").asText()).as(line).isNotBlank();
      return object;
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + line, e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2; Missing required; run",
        "2; Unknown option; run good.yaml --no-such-option",
        "2; allowed is 0 to 65535; run good.yaml --secret-file key --port 99999 --bootstrap-servers 127.0.0.1:1",
        "3; no-such.yaml; run no-such.yaml",
        "3; budgit; run wrong.yaml",
        "3; no noise secret; run good.yaml --bootstrap-servers 127.0.0.1:1",
        "3; has no port; run good.yaml --secret-file key --bootstrap-servers nowhere",
        "3; chmod 600; run good.yaml --secret-file key --otlp-headers-file open",
        "4; 127.0.0.1:1; run good.yaml --secret-file key --bootstrap-servers 127.0.0.1:1 --wait 1s",
        "3; json; run good.yaml same.yaml --secret-file key --bootstrap-servers 127.0.0.1:1",
      })
  void shouldPrintObjectsWhereAStartFails(int code, String expected, String command)
      throws Exception {
    Path log = Files.createTempFile(folder, "log", "");
    ProcessBuilder builder = CommandProcess.of(folder, log, command.split(" "));
    builder
        .environment()
        .putAll(
            Map.of(
                "SFUMATO_LOG_FORMAT", "json",
                "SFUMATO_KAFKA_SSL_KEY_PASSWORD", "canary",
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1",
                "OTEL_EXPORTER_OTLP_HEADERS", "authorization=canary"));
    Process process = builder.start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    List<JsonNode> lines = parsed(log);
    String text = Files.readString(log);
    assertThat(process.exitValue()).as(text).isEqualTo(code);
    assertThat(text).doesNotContain("canary");
    assertThat(lines)
        .extracting(line -> line.path("formattedMessage").asText())
        .as(text)
        .anyMatch(line -> line.contains(expected));
  }
}
