// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand inputs that nobody should write: broken pipeline files, CSV files and topics. Each
 * command ends with a sentence, and none with a trace or a line that quotes a record.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class HostileInputsIT {
  private static final String CANARY = "cAnArY";
  private static final long SEED = 52;

  private static final String YAML =
      """
      pipeline: hostile
      input: { topic: fuzzed-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-01-05, ticks: here }
      budget: { name: hostile, unit: user, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - count: { name: hostile-counts, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private static final String CSV =
      """
      who,at,ward,what,amount
      ann,2026-01-05T10:00:00Z,north,a,1.5
      bob,2026-01-05T11:00:00Z,south,b,2.5
      cid,2026-01-06T11:00:00Z,south,a,
      """;

  private static final String JSON =
      "{\"who\":\"cAnArY\",\"at\":\"2026-01-05T10:00:00Z\",\"ward\":\"north\",\"what\":\"a\",\"n\":[1,{\"x\":2.5}]}";

  @TempDir static Path folder;

  private static TestCluster cluster;
  private final Random random = new Random(SEED);
  private int inputs;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("fuzzed-in", 1);
  }

  private byte[] broken(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(text);
    byte[] bytes = out.toByteArray();
    for (int change = 1 + random.nextInt(4); change > 0; change--) {
      bytes = changed(bytes);
    }
    return bytes;
  }

  /** Cut, repeated, overwritten, or with something in between that parsers stumble over. */
  private byte[] changed(byte[] bytes) {
    int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (random.nextInt(6)) {
      case 0 -> out.write(bytes, 0, at);
      case 1 -> {
        out.write(bytes, 0, at);
        out.writeBytes(nasty());
        out.write(bytes, at, bytes.length - at);
      }
      case 2 -> {
        out.writeBytes(bytes);
        out.write(bytes, at, bytes.length - at);
      }
      case 3 -> {
        out.writeBytes(nasty());
        out.writeBytes(bytes);
      }
      case 4 -> {
        out.write(bytes, 0, at);
        byte[] noise = new byte[random.nextInt(40)];
        random.nextBytes(noise);
        out.writeBytes(noise);
      }
      default -> {
        out.write(bytes, at, bytes.length - at);
        out.write(bytes, 0, at);
      }
    }
    return out.toByteArray();
  }

  private byte[] nasty() {
    List<byte[]> all =
        List.of(
            new byte[] {0, 0, 0, 0, 7},
            new byte[] {0, 0, (byte) 0xFE, (byte) 0xFF},
            new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 0},
            new byte[] {(byte) 0xC3, 1, 2, 3, 4, 5, 6, 7, 8, 9},
            new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            "[".repeat(5_000).getBytes(StandardCharsets.UTF_8),
            "{\"a\":".repeat(3_000).getBytes(StandardCharsets.UTF_8),
            "&a [*a, *a]: !!java.net.URL x".getBytes(StandardCharsets.UTF_8),
            "1e999999999".getBytes(StandardCharsets.UTF_8),
            "9".repeat(2_000).getBytes(StandardCharsets.UTF_8),
            "\"\n\r\u0000\u001b[2J\ufeff".getBytes(StandardCharsets.UTF_8),
            "+1000000000-12-31T23:59:59.999999999Z".getBytes(StandardCharsets.UTF_8),
            ",,,\";\t'".getBytes(StandardCharsets.UTF_8),
            "%s%n%d{0}".getBytes(StandardCharsets.UTF_8));
    return all.get(random.nextInt(all.size()));
  }

  private void check(String... arguments) {
    inputs++;
    CommandResult result = CommandResult.of(arguments);
    assertThat(result.text())
        .as("input %d, seed %d: %s", inputs, SEED, String.join(" ", arguments))
        .doesNotContain("\tat ", "Exception:", "because of a bug", CANARY);
    assertThat(result.code()).isBetween(0, 5);
  }

  private Path file(String name, byte[] content) throws Exception {
    return Files.write(folder.resolve(inputs + name), content);
  }

  private String[] onCluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return all.toArray(String[]::new);
  }

  @Test
  void shouldAnswerAThousandHostileInputsWithASentence() throws Exception {
    for (int i = 0; i < 300; i++) {
      check("plan", brokenFile().toString());
    }
    for (int i = 0; i < 300; i++) {
      Path looked = file("new.csv", broken(bytes(CSV)));
      check(draft("--csv", looked.toString(), "--zone", "UTC"));
    }
    for (int i = 0; i < 150; i++) {
      boolean rowsAreBroken = random.nextBoolean();
      Path file = rowsAreBroken ? file("good.yaml", bytes(YAML)) : brokenFile();
      Path rows = file("rows.csv", rowsAreBroken ? broken(bytes(CSV)) : bytes(CSV));
      check(onCluster("produce", file.toString(), "--csv", rows.toString(), "--no-ticks"));
    }
    for (int i = 0; i < 50; i++) {
      check(onCluster("tick", brokenFile().toString(), "--yes", "--at", "2026-01-06T00:00:00Z"));
    }
    for (int i = 0; i < 20; i++) {
      readBrokenTopic("fuzzed-" + i);
    }
    assertThat(inputs + 20 * RECORDS).isGreaterThanOrEqualTo(1_000);
  }

  private Path brokenFile() throws Exception {
    return file("broken.yaml", broken(bytes(YAML)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The arguments of 'new' for a new file. */
  private String[] draft(String... more) {
    List<String> all =
        new ArrayList<>(List.of("new", folder.resolve(inputs + "new.yaml").toString()));
    all.addAll(List.of("--subject", "ward", "--time", "at", "--category", "what"));
    all.addAll(List.of("--categories", "a,b"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private void readBrokenTopic(String topic) throws Exception {
    fill(topic);
    check(onCluster(draft("--from-topic", topic)));
    check(onCluster(draft("--from-topic", topic, "--user", "$key", "--subjects", "north,south")));
    for (String output : List.of("json", "text")) {
      inputs++;
      CommandResult result = CommandResult.of(onCluster("consume", topic, "-o", output));
      assertThat(result.text()).doesNotContain("\tat ", "Exception:", "because of a bug");
      assertThat(result.code()).isBetween(0, 5);
    }
  }

  private static final int RECORDS = 20;

  /** Records that are broken, and one that is not. */
  private void fill(String topic) throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    cluster.createTopic(topic, 1);
    assertThat(settings.bootstrapServers()).isEqualTo(cluster.servers());
    byte[] json = JSON.getBytes(StandardCharsets.UTF_8);
    try (var producer = cluster.producer()) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] value =
            switch (random.nextInt(4)) {
              case 0 -> nasty();
              case 1 ->
                  ByteBuffer.allocate(5 + json.length).put((byte) 0).putInt(7).put(json).array();
              default -> broken(json);
            };
        producer.send(new ProducerRecord<>(topic, broken(nasty()), value));
      }
      producer.send(new ProducerRecord<>(topic, "ann".getBytes(StandardCharsets.UTF_8), json));
    }
  }
}
