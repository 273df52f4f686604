package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class FrontierTest {
  /** Whoever passes what, and when: the same as if everything were looked at each time. */
  @Property(tries = 300)
  void shouldSayWhatALookAtAllSourcesSays(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 9) int sources) {
    Frontier frontier = new Frontier(sources);
    long[] last = new long[sources];
    Arrays.fill(last, Frontier.NONE);
    for (int step = 0; step < 60; step++) {
      int source = random.nextInt(sources);
      long end = Math.max(last[source], -3) + 1 + random.nextInt(3);
      long before = Arrays.stream(last).min().orElseThrow();
      last[source] = end;
      long least = Arrays.stream(last).min().orElseThrow();
      long most = Arrays.stream(last).max().orElseThrow();
      assertThat(frontier.pass(source, end)).isEqualTo(least > before);
      assertThat(frontier.passedByAll()).isEqualTo(least);
      assertThat(frontier.foremost()).isEqualTo(most);
      assertThat(frontier.slowest()).isEqualTo(least < most ? first(last, least) : -1);
    }
  }

  private static int first(long[] last, long least) {
    int source = 0;
    while (last[source] > least) {
      source++;
    }
    return source;
  }
}
