// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.RecordsSoFar;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.count.LastWindows;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RowNoise.Place;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningName;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.random.KeyedRandom;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets, and what draws leave: beside the same sums in the clear. */
class MemoriesTest {
  private static final GridSensitivity ONE =
      new GridSensitivity("one", PrivacyUnit.USER, 1, 1L << 20, 1L << 20);
  private static final RunningMechanism ROWS =
      new RunningMechanism(new SquareRootCoefficients(6), new GridGaussian(20, 1L << 22), 0, ONE);
  private static final long HOUR = 3_600_000;
  private static final WindowGrid HOURS = new FixedWindows(HOUR, 0);

  @Test
  void aSecretIsReadByTheGateAlone() {
    Secret<Long> two = Secret.of(2L);
    assertThat(two.map(x -> x + 1).exact()).isEqualTo(3);
    assertThat(two.with(Secret.of(5L), (x, y) -> x * y).exact()).isEqualTo(10);
    assertThat(two).hasToString("Secret[masked]");
    Secret<SparseSums> tally = Secret.of(new SparseSums(4, new int[] {0}, new long[] {9}));
    assertThat(Secret.publicSize(tally, PrivacyUnit.RECORD)).hasValue(4);
    assertThat(Secret.publicSize(tally, PrivacyUnit.USER)).isEmpty();
    assertThat(Secret.publicSize(tally, PrivacyUnit.DATASET)).isEmpty();
  }

  @Test
  void aMemoryOfDataIsReadByTheGateAlone() {
    byte[] bytes = {1, 2};
    Memory outputs = Memory.ofOutputs(bytes);
    Memory data = Memory.ofData(bytes);
    bytes[0] = 7;
    assertThat(outputs.published()).hasValue(new byte[] {1, 2});
    assertThat(outputs.isEmpty()).isFalse();
    assertThat(data.stored()).containsExactly(1, 2);
    assertThat(data.exact()).hasValue(new byte[] {1, 2});
    assertThatThrownBy(data::published).hasMessage("a memory holds exact data");
    assertThat(Memory.NONE.isEmpty()).isTrue();
    assertThat(Memory.NONE.published()).isEmpty();
    assertThatThrownBy(Memory.NONE::stored).hasMessage("nothing was left");
    assertThat(data).hasToString("Memory[masked]");
  }

  /** A name that is not public leaves the gate only where its noisy count passes. */
  @Test
  void whatDoesNotPassStaysInTheGate() {
    DiscoveryMechanism mechanism =
        new DiscoveryMechanism(new GridLaplace(4, 8), ONE, new Threshold(100));
    Gate gate = new Gate(NoiseSecret.random().derive());
    ReleaseId id = new ReleaseId("b", new StateEpoch(1, 2), 1, "o", "ann", 0, 0);
    for (long users : new long[] {60, 99, 100, 101, 140}) {
      Measured<NameCount, NoisyName> measured =
          Measured.of(mechanism, Secret.of(new NameCount(users)));
      var drawn = gate.release(Permit.charged(id, mechanism), id, measured);
      assertThat(gate.discover(Permit.charged(id, mechanism), id, measured))
          .isEqualTo(Optional.of(drawn).filter(noisy -> noisy.passes(mechanism.threshold())));
      assertThat(drawn.passes(mechanism.threshold())).isEqualTo(drawn.count() >= 100);
    }
    Permit used = Permit.charged(id, mechanism);
    Measured<NameCount, NoisyName> far = Measured.of(mechanism, Secret.of(new NameCount(1)));
    assertThat(gate.discover(used, id, far)).isEmpty();
    assertThatThrownBy(() -> gate.discover(used, id, far)).hasMessage("a permit was used before");
  }

  private static RunningMemory.Sequence sequence(long most, boolean keepsRecords) {
    return new RunningMemory.Sequence(ROWS, "records, share s", most, HOURS, keepsRecords);
  }

  private static NoisyRunningRows noisy(Rows exact, int seed) {
    return ROWS.distribution(exact).draw(KeyedRandom.ofPublicSeed("rows " + seed));
  }

  /** Every window goes through its stored bytes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sumsGoOnAsInTheClear(boolean keepsRecords) {
    RunningMemory.Sequence sequence = sequence(Long.MAX_VALUE, keepsRecords);
    Random random = new Random(3);
    RunningSums sums = RunningSums.start(ROWS.coefficients(), 2);
    Memory memory = Memory.NONE;
    long records = 0;
    for (int window = 0; window < 20; window++) {
      RunningMemory before = sequence.goingOn(memory, window * HOUR, 2);
      assertThat(before.windows()).isEqualTo(window);
      long[] own = {random.nextInt(100), random.nextInt(100)};
      Rows exact = sums.rows(own);
      assertThat(before.rows(Secret.of(own)).exact()).isEqualTo(exact);
      NoisyRunningRows drawn = noisy(exact, window);
      sums = sums.plus(own, drawn, 0, 3);
      RunningMemory now = before.plus(Secret.of(own), drawn, 3);
      if (keepsRecords) {
        now = now.withRecords(own[0], 3);
        records += own[0];
        assertThat(now.records().ofLast(1)).isEqualTo(own[0]);
      }
      assertThat(now.records().all()).isEqualTo(records);
      assertThat(now.told()).isEqualTo(sums.told());
      assertThat(now.toldOf(2)).isEqualTo(sums.toldOf(2));
      assertThat(now.toldOf(window + 1)).isEqualTo(sums.told());
      assertThat(now.toldOf(window + 2)).isEqualTo(sums.told());
      assertThat(now.since()).isZero();
      assertThat(now.since(3)).isEqualTo(Math.max(0, window - 2) * HOUR);
      memory = now.memory();
      ByteWriter stored = new ByteWriter();
      if (keepsRecords) {
        now.records().write(stored.fixed8(3));
      }
      assertThat(memory.stored())
          .isEqualTo(
              stored
                  .fixed8(2)
                  .signed(0)
                  .text(RunningMemory.termsOf(ROWS.charge().mechanism(), "records, share s"))
                  .raw(sums.encode())
                  .toBytes());
    }
    assertThat(sequence.goingOn(memory, 20 * HOUR, 2)).hasToString("RunningMemory[20 windows]");
  }

  private static Memory after(RunningMemory.Sequence sequence, int windows, int groups) {
    Memory memory = Memory.NONE;
    for (int window = 0; window < windows; window++) {
      RunningMemory before = sequence.goingOn(memory, window * HOUR, groups);
      Secret<long[]> own = Secret.of(new long[groups]);
      memory = before.plus(own, noisy(before.rows(own).exact(), window), 1).memory();
    }
    return memory;
  }

  /** Sums that do not follow, are whole, or are of something else begin anew. */
  @Test
  void sumsBeginAnew() {
    RunningMemory.Sequence sequence = sequence(3, false);
    Memory two = after(sequence, 2, 1);
    assertThat(sequence.goingOn(two, 2 * HOUR, 1).windows()).isEqualTo(2);
    assertThat(sequence.goingOn(two, 3 * HOUR, 1).windows()).isZero();
    assertThat(sequence.goingOn(two, 3 * HOUR, 1).since()).isEqualTo(3 * HOUR);
    assertThat(sequence.goingOn(two, 2 * HOUR, 2).windows()).isZero();
    assertThat(sequence.goingOn(after(sequence, 3, 1), 3 * HOUR, 1).windows()).isZero();
    RunningMemory.Sequence other =
        new RunningMemory.Sequence(ROWS, "records, share t", 3, HOURS, false);
    assertThat(other.goingOn(two, 2 * HOUR, 1).windows()).isZero();
    assertThat(sequence(3, true).goingOn(two, 2 * HOUR, 1).windows()).isZero();
    Memory counted = after(sequence(3, true), 2, 1);
    assertThat(sequence(3, true).goingOn(counted, 2 * HOUR, 1).windows()).isEqualTo(2);
    assertThat(sequence.goingOn(counted, 2 * HOUR, 1).windows()).isZero();
    assertThat(sequence(3, true).goingOn(counted, 9 * HOUR, 1).records())
        .isEqualTo(RecordsSoFar.NONE);
  }

  @Test
  void treesGoOnAsInTheClear() {
    TreeMemory.Sequence sequence = new TreeMemory.Sequence("records, share s", 2, 7, HOURS);
    Random random = new Random(4);
    RunningCount count = RunningCount.START;
    Memory memory = Memory.NONE;
    for (int window = 0; window < 7; window++) {
      TreeMemory before = sequence.goingOn(memory, window * HOUR);
      assertThat(before.windows()).isEqualTo(window);
      ExactVector own = new ExactVector(random.nextInt(100), random.nextInt(100));
      Secret<ExactVector> node = before.completedBy(Secret.of(own));
      assertThat(node.exact()).isEqualTo(count.completedBy(own));
      NoisyVector drawn = new NoisyVector(new long[] {random.nextInt(100), -window});
      count = count.plus(new RunningCount.Node(node.exact(), drawn));
      TreeMemory now = before.plus(node, drawn);
      assertThat(now.noisy().values()).isEqualTo(count.noisy().values());
      assertThat(now.draws()).isEqualTo(count.draws());
      assertThat(now.since()).isZero();
      memory = now.memory();
      assertThat(memory.stored()).isEqualTo(tree(count));
    }
    assertThat(sequence.goingOn(memory, 7 * HOUR).windows()).as("whole").isZero();
    Memory four = treeOf(sequence, 4);
    assertThat(sequence.goingOn(four, 4 * HOUR)).hasToString("TreeMemory[4 windows]");
    assertThat(sequence.goingOn(four, 5 * HOUR).windows()).isZero();
    assertThat(sequence.goingOn(four, 5 * HOUR).since()).isEqualTo(5 * HOUR);
    TreeMemory.Sequence other = new TreeMemory.Sequence("records, share t", 2, 7, HOURS);
    assertThat(other.goingOn(four, 4 * HOUR).windows()).isZero();
    TreeMemory.Sequence more = new TreeMemory.Sequence("records, share s", 3, 7, HOURS);
    assertThat(more.goingOn(four, 4 * HOUR).windows()).as("a category more").isZero();
    assertThat(sequence.goingOn(after(sequence(9, false), 4, 1), 4 * HOUR).windows())
        .as("rows are no tree")
        .isZero();
    byte[] longer = new ByteWriter().raw(four.stored()).fixed8(0).toBytes();
    assertThatThrownBy(() -> sequence.goingOn(Memory.ofData(longer), 4 * HOUR))
        .isInstanceOf(CorruptBytesException.class);
  }

  @Test
  void usersOfTheLastWindowsGoOnAsInTheClear() {
    LastUsersMemory.Sequence sequence = new LastUsersMemory.Sequence("users, share s", 2, 3, HOURS);
    Random random = new Random(6);
    LastWindows users = LastWindows.start(2, 3);
    Memory memory = Memory.NONE;
    for (int window = 0; window < 9; window++) {
      LastUsersMemory before = sequence.goingOn(memory, window * HOUR);
      assertThat(before.windows()).isEqualTo(window);
      // As many are new as were ever there, so that no number falls below 0.
      long[][] arrived = {{0, 0, random.nextInt(9)}, {0, 0, random.nextInt(9)}};
      if (window > 0) {
        arrived[1][0] = users.users()[1][0];
      }
      users = users.plus(arrived);
      assertThat(before.countedWith(Secret.of(arrived)).exact().values()).isEqualTo(users.counts());
      LastUsersMemory now = before.plus(Secret.of(arrived));
      assertThat(now.sinceLast()).isEqualTo(Math.max(0, window - 2) * HOUR);
      memory = now.memory();
    }
    Memory nine = memory;
    assertThat(sequence.goingOn(nine, 9 * HOUR)).hasToString("LastUsersMemory[9 windows]");
    assertThat(sequence.goingOn(nine, 10 * HOUR).windows()).as("after a gap").isZero();
    for (LastUsersMemory.Sequence other :
        List.of(
            new LastUsersMemory.Sequence("users, share t", 2, 3, HOURS),
            new LastUsersMemory.Sequence("users, share s", 1, 3, HOURS),
            new LastUsersMemory.Sequence("users, share s", 2, 4, HOURS))) {
      assertThat(other.goingOn(nine, 9 * HOUR).windows()).as("%s", other).isZero();
    }
    assertThat(
            new TreeMemory.Sequence("users, share s", 2, 99, HOURS)
                .goingOn(nine, 9 * HOUR)
                .windows())
        .as("users are no tree")
        .isZero();
    byte[] longer = new ByteWriter().raw(nine.stored()).fixed8(0).toBytes();
    assertThatThrownBy(() -> sequence.goingOn(Memory.ofData(longer), 9 * HOUR))
        .isInstanceOf(CorruptBytesException.class);
  }

  private static Memory treeOf(TreeMemory.Sequence sequence, int windows) {
    Memory memory = Memory.NONE;
    for (int window = 0; window < windows; window++) {
      TreeMemory before = sequence.goingOn(memory, window * HOUR);
      Secret<ExactVector> node = before.completedBy(Secret.of(new ExactVector(1, 1)));
      memory = before.plus(node, new NoisyVector(new long[] {1, 1})).memory();
    }
    return memory;
  }

  private static byte[] tree(RunningCount count) {
    ByteWriter out = new ByteWriter().fixed8(4).signed(0).text("records, share s");
    out.unsigned(count.windows()).unsigned(count.nodes().size());
    for (RunningCount.Node node : count.nodes()) {
      for (long[] values : List.of(node.exact().values(), node.noisy().values())) {
        out.unsigned(values.length);
        for (long value : values) {
          out.signed(value);
        }
      }
    }
    return out.toBytes();
  }

  private static final RunningDiscovery NAMES =
      new RunningDiscovery(
          new TestSchedule(6, 2),
          new RunningBounds.PerPeriod(3, 1),
          ROWS,
          ROWS,
          List.of(new Threshold(60), new Threshold(60), new Threshold(60)),
          new PrivacyFilter.PureDpFilter(1),
          BigDecimal.ZERO);

  /** Every window goes through its stored bytes; most names are found at a test. */
  @ParameterizedTest
  @ValueSource(longs = {0, 5, 20, 40, 90})
  void namesGoOnAsInTheClear(long records) {
    NameMemory.Block block = new NameMemory.Block(NAMES, 100);
    RunningName name = RunningName.unseen(NAMES);
    Memory memory = Memory.NONE;
    for (int window = 1; window <= 6; window++) {
      boolean listed = name instanceof RunningName.Public;
      List<Place> asked = new ArrayList<>();
      NameMemory before = block.goingOn(memory, listed);
      assertThat(before).hasToString("NameMemory[masked]");
      assertThat(before.test())
          .isEqualTo(
              name instanceof RunningName.Public found
                  ? Optional.of(found.test())
                  : Optional.empty());
      NameMemory.Step step =
          before.after(
              window,
              Secret.of(new NameCount(records)),
              (place, mechanism, exact) -> {
                asked.add(place);
                return noisy(exact.exact(), place.window());
              });
      if (records == 0) {
        assertThat(step.memory()).isSameAs(Memory.NONE);
        assertThat(step.published()).isEmpty();
        assertThat(step.passed()).isEmpty();
        assertThat(asked).isEmpty();
        continue;
      }
      List<Place> clear = new ArrayList<>();
      RunningName.Step expected =
          name.after(
              NAMES,
              window,
              records,
              (place, mechanism, exact) -> {
                clear.add(place);
                return noisy(exact, place.window());
              });
      assertThat(asked).isEqualTo(clear);
      name = expected.next();
      assertThat(step.passed()).isEqualTo(expected.published());
      assertThat(step.published())
          .isEqualTo(
              name instanceof RunningName.Public found
                  ? Optional.of(
                      new PublicName(
                          found.test(), found.found(), found.told(), found.fine().windows()))
                  : Optional.empty());
      memory = step.memory();
      assertThat(memory.stored())
          .isEqualTo(new ByteWriter().signed(100).raw(name.encode()).toBytes());
    }
  }

  @Test
  void aNameBeginsAnewInABlockOfItsOwn() {
    NameMemory.Block block = new NameMemory.Block(NAMES, 100);
    NameMemory.Noise noise = (place, mechanism, exact) -> noisy(exact.exact(), place.window());
    assertThat(block.goingOn(Memory.NONE, true).test()).hasValue(0);
    assertThat(block.goingOn(Memory.NONE, false).test()).isEmpty();
    // One that is public has every window, those without records too.
    NameMemory.Step listed =
        block.goingOn(Memory.NONE, true).after(1, Secret.of(new NameCount(0)), noise);
    assertThat(listed.published()).isPresent();
    assertThat(listed.memory().isEmpty()).isFalse();
    Memory left =
        block.goingOn(Memory.NONE, false).after(1, Secret.of(new NameCount(2)), noise).memory();
    // So has one that somebody had a record of.
    assertThat(
            block
                .goingOn(left, false)
                .after(2, Secret.of(new NameCount(0)), noise)
                .memory()
                .isEmpty())
        .isFalse();
    NameMemory later = new NameMemory.Block(NAMES, 200).goingOn(left, false);
    assertThat(later.after(1, Secret.of(new NameCount(0)), noise).memory()).isSameAs(Memory.NONE);
    assertThat(block.goingOn(listed.memory(), false).test()).hasValue(0);
    // One that must not be drawn of again.
    NameMemory gone = block.goingOn(block.gone(), true);
    assertThat(gone.test()).isEmpty();
    NameMemory.Step none =
        gone.after(
            3,
            Secret.of(new NameCount(1_000)),
            (place, mechanism, exact) -> {
              throw new AssertionError("drawn");
            });
    assertThat(none.published()).isEmpty();
    assertThat(none.passed()).isEqualTo(OptionalLong.empty());
    assertThat(none.memory().stored()).isEqualTo(block.gone().stored());
  }
}
