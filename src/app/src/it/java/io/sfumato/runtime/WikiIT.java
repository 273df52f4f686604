// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sfumato.client.CellRules;
import io.sfumato.client.CsvEvents;
import io.sfumato.client.EventFields;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.EventTimes;
import io.sfumato.estimate.mollifier.PopulationEstimate;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.FiniteItems;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.release.Plan;
import io.sfumato.release.mollifier.PlannedMollifier;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * One synthetic edit of every editor of Wikipedia, records or none, and the population that they
 * make: 39,244 edits of 10,531 editors.
 */
@ExtendWith(SharedBroker.class)
class WikiIT {
  private static final Path FILE =
      Path.of(System.getProperty("sfumato.events", "../shared/data/events"))
          .resolve("wikipedia_edits_20150912.csv.gz");
  private static final int PARTITIONS = 2;
  private static final Instant START = Instant.parse("2015-09-01T00:00:00Z");

  private static final String YAML =
      """
      pipeline: wiki
      input: { topic: edits, subject: user, time: time, category: namespace, categories: [Main, Talk, User, "User talk", Wikipedia], other: other }
      window: { size: 30d, grace: 1d, clock: ticks, origin: 2015-09-01, begin: 2015-09-01, ahead: 60d }
      subjects: roster
      budget: { name: wiki, unit: dataset, epsilon: 4, period: window }
      releases:
        - mollifier: { name: edit, sampler: clipped, share: { epsilon: 4 } }
      """;

  @TempDir Path folder;

  @Test
  void shouldMakeAPopulationOfSingleItems(TestCluster cluster) throws Exception {
    if (!Files.exists(FILE)) {
      System.out.println(
          "SKIPPED WikiIT: " + FILE + " is absent; give its folder with -Dsfumato.events=DIR");
    }
    assumeTrue(Files.exists(FILE), FILE + " is absent");
    Plan plan = TestCluster.plan(YAML);
    List<String> categories = plan.pipeline().input().allCategories();
    Map<String, long[]> truth = truth(categories);
    assertThat(truth).hasSize(10_531);
    truth.put("nobody", new long[categories.size()]); // enrolled, and never seen

    CsvEvents events =
        CsvEvents.read(
            FILE,
            EventFields.of("user", "time", Optional.of("namespace"), List.of(), Optional.empty()),
            CsvEvents.Order.EVENT_TIME,
            CsvEvents.Encoding.JSON,
            CellRules.of(EventTimes.withOffsets()));
    cluster.createTopic("edits", PARTITIONS);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    try (PipelineRun run =
            PipelineRun.start(
                plan,
                TestCluster.deployment(plan, PARTITIONS, PipelineMeters.none()),
                new PipelineRun.Instance(settings, folder.resolve("state"), 1, 0));
        EventPublisher publisher = new EventPublisher(settings)) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      for (String subject : truth.keySet()) {
        ControlEntry entry =
            ControlEntry.newBuilder()
                .setCommand(ControlCommand.ENROL)
                .setSubject(subject)
                .setFrom(START)
                .build();
        publisher.event("wiki-control", subject, Outputs.encode(entry));
      }
      publisher.tick("edits", START.toEpochMilli() + 86_400_000, TestCluster.ticks("wiki"));
      // Who is not enrolled yet is dropped: wait until all entries are in the journal.
      await().atMost(TestCluster.PATIENCE).until(() -> enrolled(cluster, plan) >= truth.size());
      for (CsvEvents.Row row : events.events()) {
        publisher.event("edits", row.key(), row.value());
      }
      publisher.flush();
      publisher.tick(
          "edits", Instant.parse("2015-10-02T00:00:00Z").toEpochMilli(), TestCluster.ticks("wiki"));
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> cluster.committed("edit").size() >= truth.size());
    }
    compare(plan, categories, truth, cluster.committed("edit"));
  }

  private static long enrolled(TestCluster cluster, Plan plan) throws RefusedException {
    return cluster.committed(Names.journalTopics(plan.pipeline()).get(0)).stream()
        .filter(r -> r.key().length > 0)
        .count();
  }

  private static void compare(
      Plan plan,
      List<String> categories,
      Map<String, long[]> truth,
      List<ConsumerRecord<byte[], byte[]>> published) {
    FiniteSampler sampler =
        ((FiniteItems) plan.all(PlannedMollifier.class).get(0).plan().mechanism()).sampler();
    long[] items = new long[categories.size()];
    for (ConsumerRecord<byte[], byte[]> record : published) {
      MollifiedSample item = (MollifiedSample) Outputs.decodeAny(record.value());
      assertThat(truth).containsKey(item.getSubject());
      items[categories.indexOf(item.getCategory())]++;
    }
    assertThat(published).hasSize(truth.size());
    // What the items should show, exactly, and what the editors are.
    double[] expected = new double[items.length];
    double[] editors = new double[items.length];
    for (long[] counts : truth.values()) {
      long[] distribution = sampler.weights(new Histogram(counts));
      double n = Math.max(1, Arrays.stream(counts).sum());
      for (int i = 0; i < items.length; i++) {
        expected[i] += distribution[i] / 0x1.0p62 / truth.size();
        editors[i] += counts[i] / n / truth.size();
      }
    }
    PopulationEstimate estimate = PopulationEstimate.of(items, sampler);
    for (int i = 0; i < items.length; i++) {
      System.out.printf(
          "%-10s editors %.3f, estimate %.3f +- %.3f, items %.3f%n",
          categories.get(i),
          editors[i],
          estimate.shares()[i],
          1.96 * estimate.errors()[i],
          estimate.observed()[i]);
      // Seven standard deviations: below 1e-9.
      double deviation = Math.sqrt(expected[i] * (1 - expected[i]) / truth.size());
      assertThat(estimate.observed()[i]).isCloseTo(expected[i], within(7 * deviation));
      // Editors of several namespaces are what the inversion does not know.
      assertThat(estimate.shares()[i]).isCloseTo(editors[i], within(0.06));
    }
  }

  /** Counts by editor, read without any of the program. */
  private static Map<String, long[]> truth(List<String> categories) throws Exception {
    Map<String, long[]> truth = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(FILE)), StandardCharsets.UTF_8))) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split(",", -1);
        int place = categories.indexOf(cells[3]);
        truth
            .computeIfAbsent(cells[1], u -> new long[categories.size()])[
            place < 0 ? categories.size() - 1 : place]++;
      }
    }
    return truth;
  }
}
