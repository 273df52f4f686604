// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.windows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/**
 * A noise key is changed under a pipeline whose windows close by ticks alone: intake and keeper of
 * one partition, whose state goes from the instance with the old key to the one with the new.
 */
class KeyRotationTest {
  private static final String V1 =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      subjects: [ann, bob]
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 5 }
      """;

  private static final String V2 = V1.replace("version: 1", "version: 2");

  private static final NoiseSecret OLD = NoiseSecret.parse(Fixture.KEY);
  private static final NoiseSecret NEW =
      NoiseSecret.parse("ffeeddccbbaa99887766554433221100f0e1d2c3b4a5968778695a4b3c2d1e0f");

  private static final TickHeader OLD_TICKS = TickHeader.signedBy(OLD.tickKey("test"));
  private static final TickHeader NEW_TICKS = TickHeader.signedBy(NEW.tickKey("test"));

  private final Partition partition = new Partition();
  private final Fixture.Counts counts = new Fixture.Counts();
  private final Program before = new Program(V1, OLD);
  private final Program after = new Program(V2, NEW);

  /** One partition's state, and where the next record of its topic stands. */
  private static final class Partition {
    private final KeyValueStore<Bytes, byte[]> sources = MemoryStores.named(Names.SOURCE_STORE);
    private final KeeperRun keeper = new KeeperRun();
    private long offset;
  }

  /** An instance with a file and a secret. */
  private final class Program {
    private final Plan plan;
    private final Deployment deployment;

    Program(String yaml, NoiseSecret secret) {
      this.plan = Fixture.plan(yaml);
      this.deployment = Fixture.deployment(1, counts, secret.derive());
    }

    List<Output> event(String who, long second) {
      return reads(new Record<>(null, Fixture.json(who, second, "a"), NOW));
    }

    List<Output> tick(TickHeader ticks, long second) {
      RecordHeaders headers = new RecordHeaders();
      headers.add(Names.TICK_HEADER, ticks.of("in", 0, NOW + second * 1000));
      return reads(new Record<>(null, null, NOW, headers));
    }

    /** One record through intake, journal and keeper, in one transaction. */
    private List<Output> reads(Record<byte[], byte[]> record) {
      ProcessorRun<byte[]> intake = ProcessorRun.intake(plan, deployment, partition.sources);
      intake.take(partition.offset++, record);
      intake.commit();
      Map<JournalEntry, byte[]> written = new IdentityHashMap<>();
      List<JournalEntry> journal = new ArrayList<>();
      for (byte[] bytes : intake.entries()) {
        JournalEntry entry = JournalCodec.decode(bytes);
        written.put(entry, bytes);
        journal.add(entry);
      }
      return partition.keeper.run(plan, deployment, journal, NOW, written::get);
    }

    /** Reads nothing: what its state holds is released. */
    List<Output> starts() {
      return partition.keeper.run(plan, deployment, List.of());
    }

    /** Hears that a version is announced, as the control topic's intake writes it. */
    List<Output> hears(Program next, long second) {
      return partition.keeper.run(
          plan,
          deployment,
          List.of(
              new JournalEntry.Activation(
                  next.plan.pipeline().version(),
                  NOW + second * 1000,
                  next.plan.digestText(),
                  next.deployment.noiseKey().tag())));
    }
  }

  private static List<DirichletRelease> releases(List<Output> outputs) {
    assertThat(outputs).extracting(Output::child).containsOnly("mix");
    return outputs.stream().map(output -> Outputs.decodeRelease(output.value())).toList();
  }

  private static List<String> shown(List<Output> outputs) {
    return windows(releases(outputs));
  }

  private static List<String> bytes(List<Output> outputs) {
    return outputs.stream().map(Output::toString).toList();
  }

  private long charges(String subject) {
    return LedgerLines.of(partition.keeper.store(Names.LEDGER_STORE)).stream()
        .filter(line -> line.subject().equals(subject))
        .flatMap(line -> line.charges().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Nothing is lost, charged twice or closed twice. */
  @Test
  void theOldKeysTicksHoldUntilTheNewVersionRunsAndTheNewKeysFromThenOn() {
    before.event("ann", 1);
    before.event("bob", 2);
    List<Output> drawn = new ArrayList<>(before.tick(OLD_TICKS, 12));
    assertThat(shown(drawn)).containsExactly("ann@0", "bob@0");

    assertThat(before.tick(NEW_TICKS, 22)).as("nobody has announced that key").isEmpty();
    assertThat(before.hears(after, 20)).isEmpty();
    before.event("ann", 11);
    assertThat(before.tick(NEW_TICKS, 22)).as("announced, and not running yet").isEmpty();
    assertThat(counts.seen).containsEntry("OTHER_KEY_TICK", 2);
    assertThatThrownBy(after::starts)
        .as("window 10 may still be drawn with the old key")
        .hasMessageContaining("has windows left to release");
    List<Output> second = before.tick(OLD_TICKS, 22);
    drawn.addAll(second);
    assertThat(shown(second)).containsExactly("ann@10", "bob@10");

    before.event("ann", 21);
    before.event("ann", 22);
    before.event("bob", 31);
    assertThat(before.tick(OLD_TICKS, 32))
        .as("it closes window 20, which is the next version's")
        .isEmpty();
    assertThat(charges("ann")).isEqualTo(2);

    List<Output> taken = after.starts();
    assertThat(shown(taken)).containsExactly("ann@20", "bob@20");
    assertThat(releases(taken))
        .as("what was taken in under the old key counts")
        .extracting(DirichletRelease::getRecords)
        .containsExactly(2L, 0L);
    assertThat(after.tick(OLD_TICKS, 42)).as("the old key commands nothing any more").isEmpty();
    assertThat(counts.seen).containsEntry("OTHER_KEY_TICK", 3);
    assertThat(after.tick(NEW_TICKS, 22)).as("what is closed stays closed").isEmpty();
    after.event("bob", 32);
    List<Output> last = after.tick(NEW_TICKS, 42);
    assertThat(shown(last)).containsExactly("ann@30", "bob@30");
    assertThat(releases(last)).extracting(DirichletRelease::getRecords).containsExactly(0L, 2L);
    assertThat(after.tick(NEW_TICKS, 42)).isEmpty();
    assertThat(after.starts()).isEmpty();

    assertThat(counts.seen)
        .containsEntry("accepted", 7)
        .doesNotContainKeys("LATE", "EARLY", "BAD_TICK", "UNSIGNED_TICK");
    assertThat(charges("ann")).as("one a window").isEqualTo(4);
    assertThat(charges("bob")).isEqualTo(4);
    assertThat(keys(drawn)).containsOnly(OLD.derive().tag());
    assertThat(keys(taken)).containsOnly(NEW.derive().tag());
    assertThat(keys(last)).containsOnly(NEW.derive().tag());
    assertThat(bytes(drawn)).as("as if nothing had been announced").isEqualTo(undisturbed());
  }

  private static List<String> keys(List<Output> outputs) {
    return releases(outputs).stream().map(release -> release.getGuarantee().getNoiseKey()).toList();
  }

  /** The first two windows by a pipeline that keeps its key. */
  private static List<String> undisturbed() {
    KeyRotationTest other = new KeyRotationTest();
    other.before.event("ann", 1);
    other.before.event("bob", 2);
    List<Output> outputs = new ArrayList<>(other.before.tick(OLD_TICKS, 12));
    // Where the other one's ticks stood, so that records have the same offsets.
    other.partition.offset++;
    other.before.event("ann", 11);
    other.partition.offset++;
    outputs.addAll(other.before.tick(OLD_TICKS, 22));
    return bytes(outputs);
  }
}
