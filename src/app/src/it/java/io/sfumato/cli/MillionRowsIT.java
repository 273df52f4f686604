// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.Outputs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A million rows with a heap of 512 MB. How long it takes is printed. */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class MillionRowsIT {
  private static final Instant DAY = Instant.parse("2024-01-01T00:00:00Z");
  private static final int WINDOWS = 1_000;
  private static final int SUBJECTS = 100;
  private static final int CATEGORIES = 10;

  @TempDir Path folder;

  private static void fill(TestCluster cluster, String topic) throws Exception {
    cluster.createTopic(topic, 4);
    cluster.createTopic(topic + "-released", 1);
    List<String> names = IntStream.range(0, CATEGORIES).mapToObj(i -> "category " + i).toList();
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int window = 0; window < WINDOWS; window++) {
        Instant start = DAY.plus(Duration.ofDays(window));
        for (int subject = 0; subject < SUBJECTS; subject++) {
          long count = 31L * window + subject;
          CountRelease release =
              CountRelease.newBuilder()
                  .setReleaseId(window + "/" + subject)
                  .setPipeline(topic)
                  .setOutput("sold")
                  .setSubject("region " + subject)
                  .setWindowStart(start)
                  .setWindowEnd(start.plus(Duration.ofDays(1)))
                  .setSince(start)
                  .setCategories(names)
                  .setCounts(LongStream.range(count, count + CATEGORIES).boxed().toList())
                  .setError95(9)
                  .setGuarantee(
                      Guarantees.any()
                          .setMechanism("discrete-laplace add-or-remove-4 1/b=260427/2^20")
                          .build())
                  .build();
          producer.send(new ProducerRecord<>(topic, subject % 4, null, Outputs.encode(release)));
        }
      }
      producer.send(
          new ProducerRecord<>(
              topic + "-released",
              Outputs.encode(
                  ReleasedThrough.newBuilder()
                      .setPipeline(topic)
                      .setPartition(0)
                      .setPartitions(1)
                      .setReleasedThrough(DAY.plus(Duration.ofDays(WINDOWS)))
                      .setPipelineVersion(1)
                      .build())));
      producer.flush();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl", "sqlite"})
  void shouldExportAMillionRowsWithAHeapOf512Megabytes(String end, TestCluster cluster)
      throws Exception {
    String topic = "million-" + end;
    fill(cluster, topic);
    Path log = folder.resolve("log");
    Path rows = folder.resolve("rows." + end);
    long began = System.nanoTime();
    Process process =
        TestCluster.fork(
            log,
            List.of("-Xmx512m"),
            Main.class,
            "export",
            topic,
            "--to",
            rows.toString(),
            "--bootstrap-servers",
            cluster.servers());
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    double seconds = (System.nanoTime() - began) / 1e9;
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(Files.readString(log)).contains("1,000,000 rows");
    System.out.printf("a million rows to %s in %.1f s%n", end, seconds);
    if (!end.equals("sqlite")) {
      try (Stream<String> lines = Files.lines(rows)) {
        assertThat(lines.count()).isEqualTo(end.equals("csv") ? 1_000_001 : 1_000_000);
      }
    }
  }
}
