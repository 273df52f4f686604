// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ConsistentCutTest {
  private static final List<TopicPartition> CHANGELOGS =
      List.of(
          new TopicPartition("ledger", 0),
          new TopicPartition("meta", 0),
          new TopicPartition("dataset", 0));

  /**
   * A pipeline that goes on while it is looked at: each answer about one changelog comes some steps
   * after the one before. A step writes an entry, or marks the end of a transaction in one
   * changelog.
   */
  private static final class Pipeline implements ConsistentCut.Ends {
    private final Random random;

    /** Steps of rest after each transaction, at most. */
    private final int rest;

    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Long> firstOpen = new HashMap<>();

    /** Where each transaction was marked, by changelog. */
    private final List<Map<TopicPartition, Long>> marked = new ArrayList<>();

    private final List<Runnable> steps = new ArrayList<>();

    Pipeline(long seed, int rest) {
      this.random = new Random(seed);
      this.rest = rest;
      CHANGELOGS.forEach(changelog -> ends.put(changelog, 0L));
    }

    private void step() {
      if (steps.isEmpty()) {
        plan();
      }
      steps.remove(0).run();
    }

    /** The writes of one transaction in any order, then its marks in any order, then rest. */
    private void plan() {
      List<TopicPartition> written = new ArrayList<>();
      CHANGELOGS.stream().filter(c -> random.nextInt(4) > 0).forEach(written::add);
      List<Runnable> writes = new ArrayList<>();
      for (TopicPartition changelog : written) {
        for (int entry = random.nextInt(3); entry >= 0; entry--) {
          writes.add(() -> append(changelog));
        }
      }
      Collections.shuffle(writes, random);
      steps.addAll(writes);
      Collections.shuffle(written, random);
      Map<TopicPartition, Long> marks = new HashMap<>();
      marked.add(marks);
      for (TopicPartition changelog : written) {
        steps.add(
            () -> {
              marks.put(changelog, ends.merge(changelog, 1L, Long::sum));
              firstOpen.remove(changelog);
            });
      }
      for (int idle = random.nextInt(rest + 1); idle >= 0; idle--) {
        steps.add(() -> {});
      }
    }

    private void append(TopicPartition changelog) {
      firstOpen.putIfAbsent(changelog, ends.get(changelog));
      ends.merge(changelog, 1L, Long::sum);
    }

    private void goOn() {
      for (int more = random.nextInt(3); more > 0; more--) {
        step();
      }
    }

    @Override
    public Map<TopicPartition, Long> committed(Collection<TopicPartition> changelogs) {
      Map<TopicPartition, Long> found = new HashMap<>();
      for (TopicPartition changelog : changelogs) {
        goOn();
        found.put(changelog, firstOpen.getOrDefault(changelog, ends.get(changelog)));
      }
      return found;
    }

    @Override
    public Map<TopicPartition, Long> all(Collection<TopicPartition> changelogs) {
      Map<TopicPartition, Long> found = new HashMap<>();
      for (TopicPartition changelog : changelogs) {
        goOn();
        found.put(changelog, ends.get(changelog));
      }
      return found;
    }

    /** Whether each transaction lies in front of the cut in all its changelogs, or in none. */
    boolean isWhole(Map<TopicPartition, Long> cut) {
      for (Map<TopicPartition, Long> marks : marked) {
        Set<Boolean> inside = new HashSet<>();
        marks.forEach((changelog, mark) -> inside.add(mark <= cut.get(changelog)));
        if (inside.size() > 1) {
          return false;
        }
      }
      return true;
    }

    /** Ends what has begun, so that every transaction is marked wherever it wrote. */
    void finish() {
      while (!steps.isEmpty()) {
        steps.remove(0).run();
      }
    }
  }

  @Test
  void shouldNeverCutATransaction() throws RefusedException {
    int found = 0;
    int cutByOneLook = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      Pipeline pipeline = new Pipeline(seed, 40);
      int[] looks = {0};
      ConsistentCut cut = ConsistentCut.find(pipeline, CHANGELOGS, () -> looks[0]++ < 50);
      Pipeline other = new Pipeline(seed, 40);
      other.goOn();
      Map<TopicPartition, Long> oneLook = other.committed(CHANGELOGS);
      pipeline.finish();
      other.finish();
      if (cut.isOfOneMoment()) {
        found++;
        assertThat(pipeline.isWhole(cut.ends())).as("seed %s", seed).isTrue();
      }
      cutByOneLook += other.isWhole(oneLook) ? 0 : 1;
    }
    assertThat(found).isGreaterThan(1_900);
    assertThat(cutByOneLook).as("one look alone cuts transactions").isGreaterThan(10);
  }

  @Test
  void shouldSayThatAPipelineWithoutRestHasNoMoment() throws RefusedException {
    Map<TopicPartition, Long> open = new HashMap<>();
    ConsistentCut.Ends busy =
        new ConsistentCut.Ends() {
          @Override
          public Map<TopicPartition, Long> committed(Collection<TopicPartition> changelogs) {
            changelogs.forEach(changelog -> open.merge(changelog, 3L, Long::sum));
            return open;
          }

          @Override
          public Map<TopicPartition, Long> all(Collection<TopicPartition> changelogs) {
            Map<TopicPartition, Long> ends = new HashMap<>();
            open.forEach((changelog, end) -> ends.put(changelog, end + 1));
            return ends;
          }
        };
    int[] looks = {0};
    ConsistentCut cut = ConsistentCut.find(busy, CHANGELOGS, () -> looks[0]++ < 5);
    assertThat(cut.isOfOneMoment()).isFalse();
    assertThat(looks[0]).isEqualTo(6);
    assertThat(cut.ends()).containsOnlyKeys(CHANGELOGS);
  }
}
