// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.Refusals;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.MetaStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;

/** What every output says of itself, what a refusal says, and which releases are skipped. */
class PublishedTest {
  private static final String WINDOWS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c]%s }
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: %s, epsilon: 2, delta: 1e-6, period: %s }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 }%s }
      """;

  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { %s }
      subjects: [north]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: %s }
      releases:
        - count: { name: n, share: { epsilon: 4, delta: 1e-6 }%s }
      """;

  private static final String DATASETS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      subjects: roster
      budget: { name: test, unit: dataset, epsilon: 0.5, period: window }
      releases:
        - mollifier: { name: taste, share: { epsilon: 0.5 } }
      """;

  private final List<String> told = new ArrayList<>();

  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void released(int partition, String output) {
          told.add("released " + output);
        }

        @Override
        public void refused(String output, String code) {
          told.add("refused " + output + " " + code);
        }
      };

  private final Deployment deployment = Fixture.deployment(1, meters);
  private final MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();

  private Publisher publisher(Plan plan) {
    return new Publisher(plan.pipeline(), deployment, () -> new StateEpoch(7, 7), context);
  }

  private Guarantee guarantee(String yaml) {
    Plan plan = Fixture.plan(yaml);
    return publisher(plan).outputOf(plan.releases().get(0)).guarantee();
  }

  private String adjacency(String yaml) {
    return guarantee(yaml).getAdjacency();
  }

  /** Word for word: whoever reads a release has nothing else to know its promise by. */
  @Test
  void aGuaranteeSaysWhichDatasetsItCannotTellApart() {
    assertThat(adjacency(WINDOWS.formatted("", "record", "lifetime", ", windows: 9")))
        .endsWith(" is replaced; its key, time and existence are public")
        .startsWith("one record's category");
    assertThat(adjacency(WINDOWS.formatted(", values: [x]", "record", "{ any: 30s }", "")))
        .startsWith("one record's ")
        .endsWith(
            " are replaced, whatever 30 seconds you take, in every window that these touch;"
                + " its key, time and existence are public");
    assertThat(adjacency(DATASETS))
        .isEqualTo(
            "any two datasets of the subject, empty ones included; who is enrolled is public");
    assertThat(adjacency(USERS.formatted("per-window: 2", "window", "")))
        .isEqualTo(
            "all records of one user in one window are added or removed, of which at most 2 count;"
                + " the subjects are public");
    assertThat(adjacency(USERS.formatted("per-window: 2", "lifetime", ", windows: 9")))
        .isEqualTo(
            "all records of one user in one period are added or removed, of which at most 2 count"
                + " in each window; the subjects are public");
    assertThat(adjacency(USERS.formatted("per-window: 2", "{ any: 30s }", "")))
        .isEqualTo(
            "whatever 30 seconds you take, all records of one user in the windows that these touch"
                + " are added or removed, of which at most 2 count in each window;"
                + " the subjects are public");
  }

  @Test
  void anOutputCarriesItsIdAndWhatItPromises() {
    Plan plan = Fixture.plan(WINDOWS.formatted("", "record", "lifetime", ", windows: 9"));
    Publisher publisher = publisher(plan);
    Publisher.Output output = publisher.outputOf(plan.releases().get(0));
    Guarantee guarantee = output.guarantee();
    assertThat(guarantee.getEpsilon()).isEqualTo(1);
    assertThat(guarantee.getDelta()).isEqualTo(5e-7);
    assertThat(guarantee.getBudget()).isEqualTo("test");
    assertThat(guarantee.getNoiseKey()).isEqualTo(deployment.noiseKey().tag());
    assertThat(guarantee.getRenyiEpsilon())
        .isEqualTo(plan.releases().get(0).charge().curve().at(guarantee.getRenyiOrder()));
    assertThat(output.exampleLeftOut()).isNull();
    ReleaseId id = publisher.id("mix", "ann", NOW, 3);
    assertThat(id)
        .isEqualTo(
            new ReleaseId(
                "test", new StateEpoch(7, 7), plan.pipeline().version(), "mix", "ann", NOW, 3));
    publisher.publish(output, id, new DirichletRelease(), new byte[] {5}, 77);
    var record = context.forwarded().get(0).record();
    assertThat(context.forwarded().get(0).childName()).hasValue("mix");
    assertThat(record.key()).isEqualTo("ann");
    assertThat(record.value()).containsExactly(5);
    assertThat(record.timestamp()).isEqualTo(77);
    assertThat(record.headers().lastHeader(Names.RELEASE_ID_HEADER).value())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(id.text());
    assertThat(record.headers().lastHeader(Names.GUARANTEE_HEADER).value())
        .isEqualTo(output.digest())
        .hasSize(64);
    assertThat(record.headers().lastHeader(Names.VERSION_HEADER)).isNotNull();
    assertThat(told).containsExactly("released mix");
  }

  private Refusal refusal(int number) {
    return Outputs.decodeRefusal(context.forwarded().get(number).record().value());
  }

  @Test
  void aRefusalNamesWhatIsRefusedAndWhy() {
    Plan plan = Fixture.plan(WINDOWS.formatted("", "record", "lifetime", ", windows: 9"));
    Refusals refusals = new Refusals(plan.pipeline(), deployment, context);
    refusals.refuse("mix", new DatasetStore.Key(NOW, "ann"), RefusalCode.NO_BOUNDS, 5);
    Refusal closed = refusal(0);
    assertThat(closed.getOutput()).isEqualTo("mix");
    assertThat(closed.getSubject()).isEqualTo("ann");
    assertThat(closed.getWindowStart()).isEqualTo(Instant.ofEpochMilli(NOW));
    assertThat(closed.getWindowEnd()).isEqualTo(Instant.ofEpochMilli(NOW + 10_000));
    assertThat(closed.getCode()).isEqualTo(RefusalCode.NO_BOUNDS);
    assertThat(closed.getQueryId()).isNull();
    assertThat(closed.getCandidate()).isNull();
    refusals.refuse(
        new Candidate("coin", "q", 2, 3, "bob", NOW, List.of(), List.of(1.0)),
        RefusalCode.WAITING_LIMIT,
        6);
    Refusal asked = refusal(1);
    assertThat(asked.getOutput()).isEqualTo("coin");
    assertThat(asked.getSubject()).isEqualTo("bob");
    assertThat(asked.getQueryId()).isEqualTo("q");
    assertThat(asked.getCandidate()).isEqualTo(2);
    assertThat(context.forwarded())
        .allSatisfy(forward -> assertThat(forward.childName()).hasValue(Names.REFUSALS));
    assertThat(context.forwarded().get(1).record().timestamp()).isEqualTo(6);
    assertThat(context.forwarded().get(1).record().key()).isEqualTo("bob");
    assertThat(told).containsExactly("refused mix NO_BOUNDS", "refused coin WAITING_LIMIT");
    assertThat(refusals.spent()).isEqualTo(RefusalCode.EXHAUSTED);
    Plan periods = Fixture.plan(WINDOWS.formatted("", "record", "30s", ", windows: 1"));
    assertThat(new Refusals(periods.pipeline(), deployment, context).spent())
        .isEqualTo(RefusalCode.PERIOD_SPENT);
  }

  /** It is written down at once, held no more, and no other release is meant. */
  @Test
  void whatAnOperatorSkipsStaysSkipped() {
    StagedWrites store = new StagedWrites(new WornStore("meta"));
    MetaStore meta = new MetaStore(store);
    SkippedReleases skips = new SkippedReleases(deployment, meta, 4);
    ReleaseId id = new ReleaseId("test", new StateEpoch(7, 7), 1, "coin/q", "ann", NOW, 0);
    ReleaseId other = new ReleaseId("test", new StateEpoch(7, 7), 1, "coin/q", "bob", NOW, 0);
    assertThat(skips.isHeld(id)).isFalse();
    assertThat(skips.contains(id)).isFalse();
    ReleaseFailedException failed = skips.failed(id, new ArithmeticException("ann had 3"));
    assertThat(failed)
        .hasMessageContaining("release " + failed.tag() + " of output 'coin', window 2026-06-01")
        .hasMessageContaining("partition 4 failed with ArithmeticException; nothing was charged")
        .hasMessageContaining("sfumato skip FILE " + failed.tag())
        .hasMessageNotContaining("ann");
    deployment.holds().add(failed);
    assertThat(skips.isHeld(id)).isTrue();
    assertThat(skips.isHeld(other)).isFalse();
    for (int again = 0; again < 2; again++) {
      skips.skip(failed.tag());
      assertThat(skips.isHeld(id)).isFalse();
      assertThat(skips.contains(id)).isTrue();
      assertThat(skips.contains(other)).isFalse();
      assertThat(new SkippedReleases(deployment, meta, 4).contains(id))
          .as("after a new beginning")
          .isTrue();
    }
  }
}
