// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.StateIdentity;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** Whoever validates records decides what they mean: it must run the file that counts them. */
class EntryVersionFilterTest {
  private static final String MINE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [sick, well] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }
      """;

  /** Two categories exchanged, under the same version. */
  private static final String EXCHANGED = MINE.replace("sick, well", "well, sick");

  private static final String NEXT = MINE.replace("version: 1", "version: 2");

  private static final Deployment DEPLOYMENT = Fixture.deployment(1, PipelineMeters.none());
  private static final Deployment OTHER_KEY =
      Fixture.deployment(
          1, PipelineMeters.none(), NoiseSecret.parse("ff".repeat(16) + "0e".repeat(16)).derive());

  private final KeeperRun state = new KeeperRun();

  private static Stamp stamp(String yaml, Deployment deployment) {
    return StateIdentity.Maker.of(Fixture.plan(yaml), deployment).stamp();
  }

  private List<Output> keep(String yaml, int window, Stamp author) {
    return state.run(
        Fixture.plan(yaml),
        DEPLOYMENT,
        Entries.windows(window, window + 1),
        NOW,
        entry -> JournalCodec.encode(author, entry));
  }

  @Test
  void aKeeperTakesInWhatItsOwnFileWroteAndWhatEarlierProgramsWrote() {
    assertThat(keep(MINE, 0, stamp(MINE, DEPLOYMENT))).hasSize(1);
    assertThat(
            state.run(
                Fixture.plan(MINE), DEPLOYMENT, Entries.windows(1, 2), NOW, JournalCodec::encode))
        .as("from before entries had stamps")
        .hasSize(1);
  }

  @Test
  void aKeeperTakesInNothingOfAnotherFileOrKey() {
    keep(MINE, 0, stamp(MINE, DEPLOYMENT));
    for (Stamp foreign : List.of(stamp(EXCHANGED, DEPLOYMENT), stamp(MINE, OTHER_KEY))) {
      assertThatThrownBy(() -> keep(MINE, 1, foreign))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("another file or noise key under version 1");
    }
  }

  @Test
  void aKeeperOfANewVersionTakesInWhatTheOneBeforeWroteAndNobodyElse() {
    Plan next = Fixture.plan(NEXT);
    Stamp first = stamp(MINE, DEPLOYMENT);
    keep(MINE, 0, first);
    Activation announced =
        new Activation(2, NOW + 10_000, next.digestText(), DEPLOYMENT.noiseKey().tag());
    state.run(Fixture.plan(MINE), DEPLOYMENT, List.of(announced));
    assertThat(keep(NEXT, 1, first)).as("of version 1, which still ran").hasSize(1);
    assertThatThrownBy(() -> keep(NEXT, 2, stamp(EXCHANGED, DEPLOYMENT)))
        .hasMessageContaining("another file or noise key under version 1");
    assertThatThrownBy(
            () -> keep(NEXT, 2, stamp(MINE.replace("version: 1", "version: 3"), DEPLOYMENT)))
        .hasMessageContaining("version 3 of the file has taken over");
  }

  /** Its journal was written under another file, and no keeper of that file has begun. */
  @Test
  void aStateThatBeginsTakesInNothingOfAnEarlierVersion() {
    assertThatThrownBy(() -> keep(NEXT, 0, stamp(EXCHANGED, DEPLOYMENT)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("another file or noise key under version 1");
  }

  @Test
  void intakeOfAnotherFileOrKeyUnderTheSameVersionReadsNothing() {
    KeyValueStore<Bytes, byte[]> store = MemoryStores.named(Names.SOURCE_STORE);
    intake(store, MINE, DEPLOYMENT, 0);
    assertThatThrownBy(() -> intake(store, EXCHANGED, DEPLOYMENT, 1))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("the pipeline file differs");
    assertThatThrownBy(() -> intake(store, MINE, OTHER_KEY, 1))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("noise key")
        .hasMessageNotContaining(Fixture.KEY);
    assertThat(intake(store, MINE, DEPLOYMENT, 1)).isNotEmpty();
    assertThat(intake(store, NEXT, DEPLOYMENT, 2)).as("a newer version goes on").isNotEmpty();
    assertThatThrownBy(() -> intake(store, MINE, DEPLOYMENT, 3))
        .hasMessageContaining("the state is already at version 2");
  }

  /** One instance's intake of one record. */
  private static List<?> intake(
      KeyValueStore<Bytes, byte[]> store, String yaml, Deployment deployment, long offset) {
    ProcessorRun<byte[]> intake = ProcessorRun.intake(Fixture.plan(yaml), deployment, store);
    intake.take(offset, new Record<>(null, Fixture.json("ann", 1, "sick"), NOW));
    intake.commit();
    return intake.forwarded();
  }
}
