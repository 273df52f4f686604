// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.start;
import static io.sfumato.topology.Entries.windows;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.version.ProgressReport;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What operators hear of a partition: news once, and nothing that is not so. */
class ProgressReportTest {
  private static final String FILE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private final List<String> heard = new ArrayList<>();
  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void closed(int partition, long end) {
          heard.add("closed " + window(end));
        }

        @Override
        public void resumed(int partition, long end) {
          heard.add("resumed " + window(end));
        }

        @Override
        public void handedOver(int partition, int version, long from) {
          heard.add("waits for version " + version + " from " + window(from));
        }

        @Override
        public void announced(int partition) {
          heard.add("announced");
        }

        @Override
        public void forgot(int partition, int subjects) {
          heard.add("forgot " + subjects);
        }
      };
  private final Deployment deployment = Fixture.deployment(1, meters);
  private final Plan first = Fixture.plan(FILE);
  private final Plan second = Fixture.plan(FILE.replace("version: 1", "version: 2"));
  private final KeeperRun partition = new KeeperRun();

  private static long window(long time) {
    return (time - NOW) / 10_000;
  }

  private List<String> hears(Plan plan, List<? extends JournalEntry> journal) {
    heard.clear();
    partition.run(plan, deployment, journal);
    return heard.stream().distinct().toList();
  }

  @Test
  void shouldTellOfAWindowOnceWhoeverHasThePartition() {
    assertThat(hears(first, windows(0, 2))).containsExactly("closed 1", "closed 2");
    assertThat(hears(first, List.of())).containsExactly("resumed 2");
    assertThat(hears(first, windows(2, 3))).last().isEqualTo("closed 3");
  }

  /** What the next version will release is not released. */
  @Test
  void shouldNotTellOfWindowsThatAreTheNextVersions() {
    hears(first, windows(0, 1));
    Activation activation = new Activation(2, start(2), second.digestText(), key());
    assertThat(hears(first, List.of(activation))).contains("announced").doesNotContain("closed 2");
    assertThat(hears(first, windows(1, 5)))
        .contains("closed 2", "waits for version 2 from 2")
        .doesNotContain("closed 3", "closed 4", "closed 5");
    assertThat(hears(first, List.of())).containsExactly("resumed 2", "waits for version 2 from 2");
    assertThat(hears(second, List.of())).containsExactly("closed 5");
  }

  @Test
  void shouldTellHowManyWereForgottenWhenThatIsCommitted() {
    ProgressReport progress = new ProgressReport(meters, 0, OptionalLong.empty());
    progress.forgot();
    progress.forgot();
    assertThat(progress.isDue()).isFalse();
    assertThat(heard).isEmpty();
    progress.commit();
    assertThat(progress.isDue()).isTrue();
    progress.commit();
    assertThat(progress.isDue()).isTrue();
    assertThat(heard).containsExactly("forgot 2");
  }

  private String key() {
    return deployment.noiseKey().tag();
  }
}
