// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.release.Plan;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.topology.context.PipelineMeters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that others write and read, by Debian's kcat (librdkafka) alone: records, ticks,
 * candidates; releases, answers, refusals, dead letters.
 */
@ExtendWith(SharedBroker.class)
@Tag("release")
class KcatIT {
  private static final Path KCAT = Path.of("/usr/bin/kcat");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String YAML =
      """
      pipeline: kcat
      format: json
      input: { topic: kcat-in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, clock: ticks, begin: 2026-01-05, ticks: trusted }
      budget: { name: kcat, unit: record, epsilon: 4, delta: 1e-6 }
      releases:
        - histogram: { name: kcat-mix, share: { epsilon: 2, delta: 5e-7 }, windows: 1 }
        - abc: { name: kcat-fit, threshold: 0.3, share: { epsilon: 2, delta: 5e-7 }, queries: 1 }
      """;

  @TempDir Path folder;

  @Test
  void shouldServeAClientThatKnowsNoJavaAndNoAvro(TestCluster cluster) throws Exception {
    assumeTrue(Files.isExecutable(KCAT), "no kcat here: install Debian's package kcat");
    cluster.createTopic("kcat-in", 1);
    cluster.createTopic("kcat-candidates", 1);
    Plan plan = TestCluster.plan(YAML);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, 1, PipelineMeters.none()),
            new PipelineRun.Instance(settings, folder.resolve("state"), 1, 0))) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      tick(cluster, "2026-01-05T00:00:00Z");
      produce(
          cluster,
          "kcat-in",
          """
            {"who":"ann","at":"2026-01-05T00:00:01Z","what":"a","unknown":[1,{"x":2}]}
            {"who":"ann","at":"2026-01-05T02:00:02+02:00","what":"b"}
            {"who":"bob","at":1767571203000,"what":"c"}
            {"who":"ann","at":"2026-01-05T00:00:01Z","what":"zebra"}
            {"who":"ann","at":"2026-01-05T00:00:12Z","what":"a"}
            """);
      tick(cluster, "2026-01-05T00:00:20Z");
      produce(
          cluster,
          "kcat-candidates",
          """
            {"output":"kcat-fit","query_id":"q1","candidate":0,"candidates":2,"subject":"ann","window_start":"2026-01-05T00:00:00Z","parameters":[0.5],"mean":[0.5,0.5,0]}
            {"output":"kcat-fit","query_id":"q1","candidate":1,"candidates":2,"subject":"ann","window_start":1767571200000,"parameters":[1],"counts":[10,0,0]}
            {"output":"kcat-fit","query_id":"q2","candidate":0,"candidates":2,"subject":"ann","window_start":"2026-01-05T00:00:00Z","parameters":[0.5],"mean":[0.5,0.5,0]}
            {"output":"kcat-fit","query_id":7}
            """);
      check(cluster);
      assertThat(run.failure()).isEmpty();
    }
  }

  private void check(TestCluster cluster) throws Exception {
    List<JsonNode> mix = consume(cluster, "kcat-mix", 2);
    assertThat(mix).extracting(n -> n.get("subject").asText()).containsExactly("ann", "bob");
    JsonNode ann = mix.get(0);
    assertThat(ann.get("type").asText()).isEqualTo("DirichletRelease");
    assertThat(ann.get("window_start").asText()).isEqualTo("2026-01-05T00:00:00Z");
    assertThat(ann.get("records").asLong()).isEqualTo(2);
    double sum = 0;
    for (JsonNode share : ann.get("probabilities")) {
      assertThat(share.asDouble() * (1L << 40)).as("on the grid 2^-40").isGreaterThanOrEqualTo(1);
      sum += share.asDouble();
    }
    assertThat(sum).isEqualTo(1);
    assertThat(ann.get("guarantee").get("unit").asText()).isEqualTo("record");
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(ann.get("guarantee").toString().getBytes(StandardCharsets.UTF_8));
    assertThat(ann.get("headers").asText())
        .contains("sfumato-release-id=" + ann.get("release_id").asText())
        .contains("sfumato-guarantee=" + HexFormat.of().formatHex(digest));

    List<JsonNode> fit = consume(cluster, "kcat-fit", 2);
    assertThat(fit)
        .allSatisfy(
            answer -> {
              assertThat(answer.get("type").asText()).isEqualTo("AbcDecision");
              assertThat(answer.get("query_id").asText()).isEqualTo("q1");
              assertThat(answer.get("accepted").isBoolean()).isTrue();
            });
    List<JsonNode> refusals = consume(cluster, "kcat-refusals", 2);
    assertThat(refusals)
        .extracting(n -> n.get("code").asText())
        .as("the second window of ann, and her second query")
        .containsExactly("EXHAUSTED", "EXHAUSTED");
    assertThat(consume(cluster, "kcat-dead-letters", 2))
        .extracting(n -> n.get("code").asText())
        .containsExactlyInAnyOrder("UNKNOWN_CATEGORY", "BAD_CANDIDATE");
  }

  private void tick(TestCluster cluster, String time) throws Exception {
    // kcat sends no empty lines; what else a tick holds is not looked at.
    Path line = Files.writeString(folder.resolve("tick"), "tick\n");
    kcat(line, cluster, "-P", "-t", "kcat-in", "-p", "0", "-H", "sfumato-tick=" + time);
  }

  private void produce(TestCluster cluster, String topic, String lines) throws Exception {
    kcat(Files.writeString(folder.resolve("lines"), lines), cluster, "-P", "-t", topic);
  }

  /** Committed records with their headers, once there are so many. */
  private List<JsonNode> consume(TestCluster cluster, String topic, int expected) {
    List<JsonNode> found = new ArrayList<>();
    await()
        .atMost(TestCluster.PATIENCE)
        .untilAsserted(
            () -> {
              found.clear();
              String all =
                  kcat(
                      Path.of("/dev/null"),
                      cluster,
                      "-C",
                      "-q",
                      "-e",
                      "-t",
                      topic,
                      "-X",
                      "isolation.level=read_committed",
                      "-f",
                      "%h\\t%s\\n");
              for (String line : all.lines().toList()) {
                String[] parts = line.split("\t", 2);
                JsonNode record = JSON.readTree(parts[1]);
                ((ObjectNode) record).put("headers", parts[0]);
                found.add(record);
              }
              assertThat(found).hasSize(expected);
            });
    return found;
  }

  private String kcat(Path input, TestCluster cluster, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(KCAT.toString(), "-b", cluster.servers()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("kcat.out");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(input.toFile())
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("kcat.err").toFile())
            .start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(command + Files.readString(folder.resolve("kcat.err")))
        .isZero();
    return Files.readString(out);
  }
}
