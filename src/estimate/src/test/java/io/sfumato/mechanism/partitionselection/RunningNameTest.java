// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RowsWithoutNoise;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A name's way through a block, step by step. */
class RunningNameTest {
  private static final RunningDiscovery PLAN = plan(10, 4);

  /** Draws nothing: rows as they are. */
  private static final RowNoise NONE = (place, mechanism, exact) -> RowsWithoutNoise.of(exact);

  private static RunningDiscovery plan(int windows, int every) {
    return RunningSelectionCalibrator.gaussian(
            "names",
            Epsilon.of("6"),
            Delta.of("1e-9"),
            new RunningBounds.PerPeriod(32, 1),
            new TestSchedule(windows, every))
        .orElseThrow();
  }

  /** As releases have it: a function of the row's place and of what it holds. */
  private static RowNoise keyed(String name) {
    return (place, mechanism, exact) ->
        mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed(name + place + digest(exact)));
  }

  private static String digest(Rows exact) {
    return Long.toString(exact.minus(exact)[0]) + exact.hashCode();
  }

  private static long records(OptionalLong published) {
    return Math.round(Math.scalb((double) published.orElseThrow(), -20));
  }

  /** Tests lie after windows 4, 8 and 10; what is told is exact where there is no noise. */
  @Test
  void shouldBeTestedBySoManyRecordsAndThenCountedWindowByWindow() {
    long least = PLAN.thresholds().get(1).least();
    RunningName state = RunningName.unseen(PLAN);
    long sum = 0;
    for (int window = 1; window <= 7; window++) {
      RunningName.Step step = state.after(PLAN, window, 5, NONE);
      assertThat(step.published()).as("window " + window).isEmpty();
      state = step.next();
      sum += 5;
    }
    RunningName.Step found = state.after(PLAN, 8, least - sum, NONE);
    assertThat(records(found.published())).isEqualTo(least);
    assertThat(found.next()).isInstanceOf(RunningName.Public.class);
    RunningName.Step next = found.next().after(PLAN, 9, 3, NONE);
    assertThat(records(next.published())).isEqualTo(least + 3);
    RunningName.Step none = next.next().after(PLAN, 10, 0, NONE);
    assertThat(records(none.published())).isEqualTo(least + 3);
    // One record less, and it waits until the block's end.
    RunningName.Step missed = state.after(PLAN, 8, least - sum - 1, NONE);
    assertThat(missed.published()).isEmpty();
    assertThat(missed.next()).isInstanceOf(RunningName.Waiting.class);
    assertThat(missed.next().after(PLAN, 9, 50, NONE).published()).isEmpty();
    RunningName.Step end = missed.next().after(PLAN, 9, 50, NONE).next().after(PLAN, 10, 1, NONE);
    assertThat(records(end.published())).isEqualTo(least - 1 + 51);
  }

  /** Rows before a name's first record are those of a name without records. */
  @Test
  void aNameThatComesLateIsAsIfItHadBeenThereWithNothing() {
    for (int first = 1; first <= 10; first++) {
      RunningName there = RunningName.unseen(PLAN);
      RunningName late = there;
      for (int window = 1; window <= 10; window++) {
        long records = window < first ? 0 : window;
        there = there.after(PLAN, window, records, keyed("late")).next();
        if (window >= first) {
          late = late.after(PLAN, window, records, keyed("late")).next();
        }
      }
      assertThat(late.encode()).as("from window " + first).isEqualTo(there.encode());
    }
  }

  /** So that their noise is drawn once each, of this very place. */
  @Test
  void everyRowHasAPlaceOfItsOwn() {
    List<String> places = new ArrayList<>();
    RowNoise noting =
        (place, mechanism, exact) -> {
          places.add(place.sequence() + " " + place.window());
          return RowsWithoutNoise.of(exact);
        };
    RunningName state = RunningName.unseen(PLAN);
    for (int window = 7; window <= 10; window++) {
      state = state.after(PLAN, window, window == 7 ? 500 : 1, noting).next();
    }
    assertThat(places).containsExactly("COARSE 4", "COARSE 8", "FINE 9", "FINE 10");
    places.clear();
    state = RunningName.known(PLAN);
    for (int window = 1; window <= 3; window++) {
      RunningName.Step step = state.after(PLAN, window, 2, noting);
      assertThat(records(step.published())).isEqualTo(2L * window);
      state = step.next();
    }
    assertThat(places).containsExactly("FINE 1", "FINE 2", "FINE 3");
  }

  @Test
  void shouldGoOnFromBytesAsItWas() {
    RunningName state = RunningName.unseen(PLAN);
    for (int window = 1; window <= 10; window++) {
      state = state.after(PLAN, window, window < 8 ? 0 : 60, keyed("bytes")).next();
      byte[] bytes = state.encode();
      RunningName read = RunningName.decode(bytes, PLAN).orElseThrow();
      assertThat(read.encode()).isEqualTo(bytes);
      assertThat(read).hasSameClassAs(state);
      state = read;
    }
    assertThat(state).isInstanceOf(RunningName.Public.class);
  }

  /** Live states hang on these bytes. */
  @Test
  void bytesOfTheFirstFormatStayReadable() {
    RunningName state = RunningName.unseen(PLAN);
    for (int window = 1; window <= 5; window++) {
      state = state.after(PLAN, window, window == 1 ? 9 : window == 5 ? 3 : 0, NONE).next();
    }
    assertThat(HexFormat.of().formatHex(state.encode())).isEqualTo(WAITING);
    RunningName known = RunningName.known(PLAN).after(PLAN, 1, 2, NONE).next();
    assertThat(HexFormat.of().formatHex(known.encode())).isEqualTo(PUBLIC);
    assertThat(RunningName.decode(HexFormat.of().parseHex(WAITING), PLAN)).isPresent();
    assertThat(RunningName.decode(HexFormat.of().parseHex(PUBLIC), PLAN)).isPresent();
  }

  private static final String WAITING = "0100060106726f6f742d330101011280808009000180808009";
  private static final String PUBLIC = "010100000106726f6f742d370101010480808002000180808002";

  @Test
  void otherFormatsAndOtherPlansAreNotTakenForThisOne() {
    byte[] bytes = RunningName.unseen(PLAN).encode();
    assertThat(RunningName.decode(bytes, plan(10, 1))).isEmpty();
    byte[] other = bytes.clone();
    other[0] = 2;
    assertThatThrownBy(() -> RunningName.decode(other, PLAN))
        .isInstanceOf(CorruptBytesException.class)
        .hasMessageContaining("format 2");
    byte[] state = bytes.clone();
    state[1] = 7;
    assertThatThrownBy(() -> RunningName.decode(state, PLAN)).hasMessageContaining("state 7");
    byte[] gone = RunningName.gone().encode();
    assertThat(RunningName.decode(gone, PLAN)).contains(RunningName.gone());
    assertThatThrownBy(() -> RunningName.decode(Arrays.copyOf(gone, gone.length + 1), PLAN))
        .as("a byte more")
        .isInstanceOf(CorruptBytesException.class);
    assertThat(RunningName.unseen(PLAN)).hasToString("Waiting[0 tests]");
  }

  @Test
  void whatIsGoneStaysGoneWhateverComes() {
    RunningName.Step step = RunningName.gone().after(PLAN, 4, 1_000_000, NONE);
    assertThat(step.next()).isEqualTo(RunningName.gone());
    assertThat(step.published()).isEmpty();
    assertThat(RunningName.known(PLAN)).hasToString("Public[0 windows since test 0]");
  }

  /** Of a hundred windows with ten tests a name that waits keeps some tens of bytes. */
  @Test
  void namesThatAreNotPublicAreSmall() {
    RunningDiscovery plan = plan(100, 10);
    RunningName state = RunningName.unseen(plan);
    int most = 0;
    for (int window = 1; window < 100; window++) {
      state = state.after(plan, window, window % 7 == 0 ? 1 : 0, keyed("small 3")).next();
      assertThat(state).isInstanceOf(RunningName.Waiting.class);
      most = Math.max(most, state.encode().length);
      if (window == 10) {
        assertThat(most).isLessThanOrEqualTo(32);
      }
    }
    assertThat(most).isLessThanOrEqualTo(80);
  }
}
