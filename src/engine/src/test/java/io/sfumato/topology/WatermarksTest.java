// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.journal.ClosingTimes;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.MetaStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of boundaries: right, and no dearer for each record the more sources there are. */
class WatermarksTest {
  private static final long SIZE = 10;
  private static final int WINDOWS = 20;

  /** Counts how often what sources have passed is looked at. */
  private static final class Looked extends TreeMap<Long, Long> {
    private static final long serialVersionUID = 1;

    private final transient long[] looks;

    Looked(long[] looks) {
      this.looks = looks;
    }

    @Override
    public Map.Entry<Long, Long> ceilingEntry(Long key) {
      looks[0]++;
      return super.ceilingEntry(key);
    }

    @Override
    public Long ceilingKey(Long key) {
      looks[0]++;
      return super.ceilingKey(key);
    }

    @Override
    public NavigableMap<Long, Long> subMap(
        Long from, boolean fromInclusive, Long to, boolean toInclusive) {
      looks[0]++;
      NavigableMap<Long, Long> part = super.subMap(from, fromInclusive, to, toInclusive);
      looks[0] += part.size();
      return part;
    }

    @Override
    public Long put(Long key, Long value) {
      looks[0]++;
      return super.put(key, value);
    }

    @Override
    public Long firstKey() {
      looks[0]++;
      return super.firstKey();
    }

    @Override
    public Long lastKey() {
      looks[0]++;
      return super.lastKey();
    }

    @Override
    public boolean isEmpty() {
      looks[0]++;
      return super.isEmpty();
    }

    @Override
    public int size() {
      looks[0]++;
      return super.size();
    }
  }

  private static MetaStore store() {
    return new MetaStore(new StagedWrites(new WornStore("meta")));
  }

  /** Looks at sources while windows close, each with records, releases and late ones of others. */
  private static long looks(int sources, int records) {
    long[] looks = {0};
    Watermarks watermarks =
        new Watermarks(Fixture.sources(sources), store(), new Looked(looks), ClosingTimes.MOST);
    for (int window = 0; window < WINDOWS; window++) {
      long end = window * SIZE;
      for (int source = 0; source < sources; source++) {
        watermarks.pass(source, end, window);
        watermarks.slowest();
        watermarks.foremost();
        watermarks.forgetThrough(end - 5 * SIZE);
      }
      for (int i = 0; i < records; i++) {
        watermarks.refuseClosed(end + SIZE);
        watermarks.firstOpen(end);
        // Releases of this window, among answers about those before.
        watermarks.timestampOf(Math.max(0, end - i % 4 * SIZE));
      }
    }
    return looks[0];
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100})
  void recordsLookAtNoSource(int sources) {
    assertThat(looks(sources, 10_000)).isEqualTo(looks(sources, 4));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100})
  void tenTimesAsManySourcesCostTenTimesAsMuch(int sources) {
    assertThat(looks(10 * sources, 100)).isLessThanOrEqualTo(12 * looks(sources, 100));
  }

  /** As a plain look at all sources has it, among passing, forgetting and new beginnings. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void answersAreThoseOfAPlainLook(long seed) {
    Random random = new Random(seed);
    int sources = 1 + random.nextInt(4);
    MetaStore store = store();
    Watermarks watermarks = new Watermarks(Fixture.sources(sources), store);
    List<TreeMap<Long, Long>> plain = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      plain.add(new TreeMap<>());
    }
    for (int step = 0; step < 300; step++) {
      int source = random.nextInt(sources);
      TreeMap<Long, Long> mine = plain.get(source);
      long end = (mine.isEmpty() ? 0 : mine.lastKey()) + SIZE * (1 + random.nextInt(3));
      long timestamp = random.nextInt(1000);
      watermarks.pass(source, end, timestamp);
      mine.put(end, timestamp);
      if (random.nextInt(20) == 0) {
        watermarks = new Watermarks(Fixture.sources(sources), store);
      }
      OptionalLong closed =
          plain.stream().anyMatch(TreeMap::isEmpty)
              ? OptionalLong.empty()
              : plain.stream().mapToLong(TreeMap::lastKey).min();
      assertThat(watermarks.closedThrough()).isEqualTo(closed);
      assertThat(watermarks.foremost())
          .isEqualTo(plain.stream().filter(p -> !p.isEmpty()).mapToLong(TreeMap::lastKey).max());
      if (closed.isPresent()) {
        if (random.nextInt(3) == 0) {
          watermarks.forgetThrough(closed.getAsLong() - 4 * SIZE);
        }
        for (long ago = 0; ago < 4; ago++) {
          long asked = Math.max(SIZE, closed.getAsLong() - ago * SIZE);
          assertThat(watermarks.timestampOf(asked))
              .isEqualTo(
                  plain.stream()
                      .mapToLong(p -> p.ceilingEntry(asked).getValue())
                      .max()
                      .orElseThrow());
        }
      }
    }
  }

  /** The plain look's answer for a closed window. */
  private static long latest(List<TreeMap<Long, Long>> plain, long windowEnd) {
    return plain.stream().mapToLong(p -> p.ceilingEntry(windowEnd).getValue()).max().orElseThrow();
  }

  private static OptionalLong closed(List<TreeMap<Long, Long>> plain) {
    return plain.stream().anyMatch(TreeMap::isEmpty)
        ? OptionalLong.empty()
        : plain.stream().mapToLong(TreeMap::lastKey).min();
  }

  private static List<TreeMap<Long, Long>> nothingPassed(int sources) {
    List<TreeMap<Long, Long>> plain = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      plain.add(new TreeMap<>());
    }
    return plain;
  }

  /** However many windows others are ahead of a partition that has no records. */
  @Test
  void whatIsKeptDoesNotGrowWhileAPartitionIdles() {
    int sources = 4;
    int windows = 3 * ClosingTimes.MOST;
    WornStore rows = new WornStore("meta");
    StagedWrites staged = new StagedWrites(rows);
    Watermarks watermarks = new Watermarks(Fixture.sources(sources), new MetaStore(staged));
    for (int source = 0; source < sources; source++) {
      watermarks.pass(source, 0, 0);
    }
    for (int window = 1; window <= windows; window++) {
      for (int source = 1; source < sources; source++) {
        watermarks.pass(source, window * SIZE, window);
      }
    }
    staged.flush();
    assertThat(rows.alive()).hasSizeLessThanOrEqualTo(ClosingTimes.MOST + 2 * sources);
    watermarks.pass(0, windows * SIZE, 7);
    assertThat(watermarks.closedThrough()).hasValue(windows * SIZE);
    for (int window = 8; window < ClosingTimes.MOST; window++) {
      assertThat(watermarks.timestampOf(window * SIZE)).as("as ever").isEqualTo(window);
    }
    assertThat(watermarks.timestampOf((windows - 1) * SIZE)).isEqualTo(windows);
    watermarks.forgetThrough(windows * SIZE);
    staged.flush();
    assertThat(rows.alive()).hasSizeLessThanOrEqualTo(2 * sources);
  }

  /**
   * Beyond the bound timestamps are coarser, and still the journal's alone: whoever has forgotten
   * what is released, or has started again, says the same as who has not.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void boundedTimestampsDependOnNoPace(long seed) {
    Random random = new Random(seed);
    int sources = 2 + random.nextInt(3);
    int most = 1 + random.nextInt(5);
    List<TreeMap<Long, Long>> plain = nothingPassed(sources);
    MetaStore keptBySlow = store();
    Watermarks slow = new Watermarks(Fixture.sources(sources), keptBySlow, new TreeMap<>(), most);
    MetaStore kept = store();
    Watermarks fast = new Watermarks(Fixture.sources(sources), kept, new TreeMap<>(), most);
    long released = 0;
    TreeMap<Long, Long> told = new TreeMap<>();
    for (int step = 0; step < 600; step++) {
      int source = random.nextInt(1 + random.nextInt(sources));
      TreeMap<Long, Long> mine = plain.get(source);
      long end = (mine.isEmpty() ? 0 : mine.lastKey()) + SIZE * (1 + random.nextInt(3));
      long timestamp = random.nextInt(1000);
      mine.put(end, timestamp);
      slow.pass(source, end, timestamp);
      fast.pass(source, end, timestamp);
      if (closed(plain).isEmpty()) {
        continue;
      }
      long closed = closed(plain).getAsLong();
      for (long window = Math.max(SIZE, closed - 9 * SIZE); window <= closed; window += SIZE) {
        // A new one remembers no answer.
        long said =
            new Watermarks(Fixture.sources(sources), keptBySlow, new TreeMap<>(), most)
                .timestampOf(window);
        assertThat(slow.timestampOf(window)).isEqualTo(said);
        assertThat(said).isGreaterThanOrEqualTo(latest(plain, window));
        Long before = told.put(window, said);
        assertThat(before).as("a closed window's never changes").isIn(null, said);
        if (window > released) {
          assertThat(fast.timestampOf(window)).isEqualTo(said);
        }
      }
      if (random.nextInt(4) == 0) {
        released = Math.max(released, closed - SIZE * random.nextInt(2));
        fast.forgetThrough(released);
      }
      if (random.nextInt(10) == 0) {
        fast = new Watermarks(Fixture.sources(sources), kept, new TreeMap<>(), most);
      }
    }
  }

  /**
   * The same passes of each source, in another order: the same timestamps as long as nobody is as
   * many windows ahead as steps are kept, and never less than that, nor more than was ever passed,
   * beyond.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void timestampsDependOnNoInterleavingWithinTheBound(long seed) {
    Random random = new Random(seed);
    int sources = 2 + random.nextInt(3);
    int most = 5 + random.nextInt(20);
    int windows = 200;
    List<TreeMap<Long, Long>> plain = nothingPassed(sources);
    for (TreeMap<Long, Long> mine : plain) {
      mine.put(0L, 0L);
      for (long end = SIZE; end < windows * SIZE; end += SIZE * (1 + random.nextInt(3))) {
        mine.put(end, (long) random.nextInt(1000));
      }
      mine.put(windows * SIZE, (long) random.nextInt(1000));
    }
    for (int order = 0; order < 5; order++) {
      assertThat(timestamps(plain, random, most, most - 3))
          .as("in step")
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, windows)
                  .map(w -> latest(plain, w * SIZE))
                  .boxed()
                  .toList());
      List<Long> apart = timestamps(plain, random, most, windows);
      for (int window = 1; window <= windows; window++) {
        assertThat(apart.get(window - 1)).isBetween(latest(plain, window * SIZE), 999L);
      }
    }
  }

  /** Of all windows, where no source passes when it is that many windows ahead already. */
  private static List<Long> timestamps(
      List<TreeMap<Long, Long>> plain, Random random, int most, int ahead) {
    int sources = plain.size();
    Watermarks watermarks =
        new Watermarks(Fixture.sources(sources), store(), new TreeMap<>(), most);
    List<TreeMap<Long, Long>> left = plain.stream().map(TreeMap::new).toList();
    long[] at = new long[sources];
    for (int source = 0; source < sources; source++) {
      watermarks.pass(source, 0, left.get(source).remove(0L));
    }
    while (left.stream().anyMatch(mine -> !mine.isEmpty())) {
      int source = random.nextInt(sources);
      long least = Arrays.stream(at).min().orElseThrow();
      Map.Entry<Long, Long> next = left.get(source).firstEntry();
      if (next != null && at[source] - least < ahead * SIZE) {
        watermarks.pass(source, next.getKey(), next.getValue());
        at[source] = next.getKey();
        left.get(source).pollFirstEntry();
      }
    }
    return LongStream.rangeClosed(1, plain.get(0).lastKey() / SIZE)
        .map(window -> watermarks.timestampOf(window * SIZE))
        .boxed()
        .toList();
  }

  /** Where one was too long there is room again: what a source passed before stays as it was. */
  @Test
  void aStepIsCutWhereItsSourceStood() {
    Watermarks watermarks = new Watermarks(Fixture.sources(3), store(), new TreeMap<>(), 2);
    for (int window = 1; window <= 3; window++) {
      watermarks.pass(0, window * SIZE, window);
    }
    watermarks.pass(1, 2 * SIZE, 4);
    watermarks.pass(2, SIZE, 5);
    watermarks.pass(1, 3 * SIZE, 9);
    watermarks.pass(2, 2 * SIZE, 6);
    assertThat(watermarks.timestampOf(2 * SIZE)).isEqualTo(6);
  }

  /** However many wait: before any is closed an earlier one may still be the first. */
  @Test
  void theFirstWindowOfAllIsKnown() {
    TreeMap<Long, Long> steps = new TreeMap<>();
    Watermarks watermarks = new Watermarks(Fixture.sources(2), store(), steps, 2);
    for (int window = 3; window <= 6; window++) {
      watermarks.pass(0, window * SIZE, window);
    }
    assertThat(steps).hasSize(2);
    watermarks.pass(1, 2 * SIZE, 1);
    assertThat(steps.firstKey()).isEqualTo(2 * SIZE);
    assertThat(watermarks.timestampOf(2 * SIZE)).isEqualTo(3);
  }

  /** The first of all is the first that any source announced, however far that source is now. */
  @Test
  void theFirstWindowOfAllIsKnownWhereItsSourceHasGoneOn() {
    TreeMap<Long, Long> steps = new TreeMap<>();
    Watermarks watermarks = new Watermarks(Fixture.sources(3), store(), steps, 2);
    for (int window = 3; window <= 6; window++) {
      watermarks.pass(0, window * SIZE, window);
    }
    watermarks.pass(1, 2 * SIZE, 1);
    watermarks.pass(1, 5 * SIZE, 7);
    watermarks.pass(2, 4 * SIZE, 8);
    assertThat(watermarks.closedThrough()).hasValue(4 * SIZE);
    assertThat(steps.firstKey()).isEqualTo(2 * SIZE);
  }

  /** Markers say how far windows are closed, even where steps of those that wait are long. */
  @Test
  void theLastClosedWindowIsAStep() {
    Watermarks watermarks = new Watermarks(Fixture.sources(2), store(), new TreeMap<>(), 1);
    watermarks.pass(0, 0, 0);
    watermarks.pass(1, 0, 0);
    for (int window = 1; window <= 3; window++) {
      watermarks.pass(0, window * SIZE, window);
    }
    watermarks.pass(1, 2 * SIZE, 9);
    assertThat(watermarks.steps(0, 2 * SIZE)).isEqualTo(Map.of(2 * SIZE, 9L));
  }

  @Test
  void aSourceThatAnnouncedCannotBeginAnewAfterARestart() {
    MetaStore store = store();
    new Watermarks(Fixture.sources(2), store).pass(0, SIZE, 1);
    Watermarks again = new Watermarks(Fixture.sources(2), store);
    assertThatCode(() -> again.requireNew(1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> again.requireNew(0))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("restarted from an offset before its last watermark");
    assertThatThrownBy(() -> again.pass(0, SIZE, 2))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("announced watermark 10 after 10");
  }

  /** Of a topic that joined nothing counts before: its sources stand there from the start. */
  @Test
  void aSourceThatJoinedMayAnnounceWhereItStands() {
    SourceTopics sources =
        new SourceTopics(
            List.of(
                new SourceTopics.Topic("first", "1", 1),
                new SourceTopics.Topic("joined", "2", 1, 2 * SIZE)));
    Watermarks watermarks = new Watermarks(sources, store());
    assertThatThrownBy(() -> watermarks.pass(1, SIZE, 1)).isInstanceOf(PipelineStopException.class);
    assertThat(watermarks.pass(1, 2 * SIZE, 9)).as("the first topic is behind").isFalse();
    assertThatThrownBy(() -> watermarks.pass(1, 2 * SIZE, 1))
        .isInstanceOf(PipelineStopException.class);
    assertThat(watermarks.pass(0, 2 * SIZE, 2)).isTrue();
    assertThat(watermarks.closedThrough()).hasValue(2 * SIZE);
    assertThat(watermarks.timestampOf(2 * SIZE)).as("nothing was passed at 9").isEqualTo(2);
  }

  @Test
  void whatNobodyHasPassedHasNoTimestamp() {
    Watermarks watermarks = new Watermarks(Fixture.sources(1), store());
    assertThat(watermarks.knownTimestampOf(SIZE)).isEmpty();
    watermarks.pass(0, SIZE, 7);
    assertThat(watermarks.knownTimestampOf(SIZE)).hasValue(7);
    assertThat(watermarks.knownTimestampOf(2 * SIZE)).isEmpty();
  }

  /** One row a step, and none of what no window needs. */
  @Test
  void whatNoWindowNeedsIsKeptNoLonger() {
    WornStore rows = new WornStore("meta");
    StagedWrites staged = new StagedWrites(rows);
    Watermarks watermarks = new Watermarks(Fixture.sources(2), new MetaStore(staged));
    watermarks.pass(0, SIZE, 1);
    watermarks.pass(1, SIZE, 2);
    watermarks.pass(0, 2 * SIZE, 3);
    watermarks.pass(1, 2 * SIZE, 4);
    watermarks.pass(0, 5 * SIZE, 6);
    assertThat(steps(staged, rows)).isEqualTo(3);
    watermarks.forgetThrough(2 * SIZE);
    assertThat(steps(staged, rows)).isEqualTo(1);
    watermarks.pass(1, 3 * SIZE, 5);
    assertThat(steps(staged, rows)).as("the closed window and the others").isEqualTo(2);
    assertThat(watermarks.timestampOf(3 * SIZE)).isEqualTo(6);
    watermarks.forgetThrough(3 * SIZE);
    assertThat(steps(staged, rows)).isEqualTo(1);
  }

  private static long steps(StagedWrites staged, WornStore rows) {
    staged.flush();
    return rows.alive().keySet().stream().filter(key -> key.get()[0] == 'm').count();
  }
}
