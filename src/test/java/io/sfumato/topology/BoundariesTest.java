// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of boundaries: right, and no dearer for each record the more sources there are. */
class BoundariesTest {
  private static final long SIZE = 10;
  private static final int WINDOWS = 20;

  /** Counts how often a source is looked at. */
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
    return new MetaStore(new StagedStore(new WornStore("meta")));
  }

  /** Looks at sources while windows close, each with records, releases and late ones of others. */
  private static long looks(int sources, int records) {
    long[] looks = {0};
    Boundaries boundaries = new Boundaries(sources, store(), () -> new Looked(looks));
    for (int window = 0; window < WINDOWS; window++) {
      long end = window * SIZE;
      for (int source = 0; source < sources; source++) {
        boundaries.pass(source, end, window);
        boundaries.slowest();
        boundaries.foremost();
        boundaries.forgetThrough(end - 5 * SIZE);
      }
      for (int i = 0; i < records; i++) {
        boundaries.refuseClosed(end + SIZE);
        boundaries.firstOpen(end);
        // Releases of this window, among answers about those before.
        boundaries.timestampOf(Math.max(0, end - i % 4 * SIZE));
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
    Boundaries boundaries = new Boundaries(sources, store);
    List<TreeMap<Long, Long>> plain = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      plain.add(new TreeMap<>());
    }
    for (int step = 0; step < 300; step++) {
      int source = random.nextInt(sources);
      TreeMap<Long, Long> mine = plain.get(source);
      long end = (mine.isEmpty() ? 0 : mine.lastKey()) + SIZE * (1 + random.nextInt(3));
      long timestamp = random.nextInt(1000);
      boundaries.pass(source, end, timestamp);
      mine.put(end, timestamp);
      if (random.nextInt(20) == 0) {
        boundaries = new Boundaries(sources, store);
      }
      OptionalLong closed =
          plain.stream().anyMatch(TreeMap::isEmpty)
              ? OptionalLong.empty()
              : plain.stream().mapToLong(TreeMap::lastKey).min();
      assertThat(boundaries.closedThrough()).isEqualTo(closed);
      assertThat(boundaries.foremost())
          .isEqualTo(plain.stream().filter(p -> !p.isEmpty()).mapToLong(TreeMap::lastKey).max());
      if (closed.isPresent()) {
        if (random.nextInt(3) == 0) {
          boundaries.forgetThrough(closed.getAsLong() - 4 * SIZE);
        }
        for (long ago = 0; ago < 4; ago++) {
          long asked = Math.max(SIZE, closed.getAsLong() - ago * SIZE);
          assertThat(boundaries.timestampOf(asked))
              .isEqualTo(
                  plain.stream()
                      .mapToLong(p -> p.ceilingEntry(asked).getValue())
                      .max()
                      .orElseThrow());
        }
      }
    }
  }
}
