// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Memory;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.ShownOutput;
import io.sfumato.pipeline.WindowData;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.release.Shown;
import io.sfumato.rows.Card;
import io.sfumato.rows.Times;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Draws of many windows, one after another: intervals hold the truth as often as they say. */
@Tag("deep")
class RunningMeanSamplerTest {
  private static final String SECRET =
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

  private static final NumberBounds BOUNDS = new NumberBounds(-2, 6);

  private static final String USERS =
      """
      pipeline: p
      input: { topic: in, subject: ward, user: who, time: at, values: [x] }
      contributions: { per-window: 1 }
      subjects: [north]
      window: { size: 1d, clock: ticks, begin: 2026-01-01 }
      budget: { name: b, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - mean: { name: m, value: x, bounds: [-2, 6], moments: MOMENTS, method: METHOD, OVER, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final String RECORDS =
      """
      pipeline: p
      input: { topic: in, subject: who, time: at, values: [x] }
      window: { size: 1d }
      budget: { name: b, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - mean: { name: m, value: x, bounds: [-2, 6], moments: MOMENTS, method: METHOD, OVER, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static Plan plan(String unit, String method, int moments, String over) {
    String yaml = unit.equals("user") ? USERS : RECORDS;
    return Plans.valid(
        yaml.replace("MOMENTS", "" + moments).replace("METHOD", method).replace("OVER", over));
  }

  /** A window of these numbers. */
  private static WindowData window(int moments, double... numbers) {
    long[] sums = new long[moments + 1];
    for (double x : numbers) {
      long[] parts = new BernsteinParts(BOUNDS, moments).of(x);
      Arrays.setAll(sums, k -> sums[k] + parts[k]);
    }
    int[] places = IntStream.range(0, sums.length).filter(k -> sums[k] > 0).toArray();
    SparseSums tally =
        new SparseSums(
            numbers.length, places, Arrays.stream(places).mapToLong(k -> sums[k]).toArray());
    return new WindowData() {
      @Override
      public Optional<Histogram> histogram() {
        return Optional.empty();
      }

      @Override
      public OptionalLong leftOut() {
        return OptionalLong.empty();
      }

      @Override
      public OptionalLong users() {
        return OptionalLong.empty();
      }

      @Override
      public Optional<SparseSums> cells() {
        return Optional.empty();
      }

      @Override
      public Optional<FeatureSum> features() {
        return Optional.empty();
      }

      @Override
      public long records() {
        return tally.records();
      }

      @Override
      public SparseSums tally(RecordAggregation rule) {
        return tally;
      }

      @Override
      public ItemData items() {
        throw new UnsupportedOperationException();
      }
    };
  }

  /** The noise of a fixed secret. */
  private static ReleaseSampler.Drawn drawn(
      Plan plan, ReleaseSampler.Prepared prepared, OutputLabel label) {
    return prepared.draw(
        label,
        new Gate(NoiseSecret.parse(SECRET).derive()),
        Permit.ofMadeUpData(label.id(), plan.releases().get(0).plan().mechanism()));
  }

  /**
   * So many windows of a subject, each drawn by what the last one left.
   *
   * @param run each has noise of its own
   */
  private static List<MeanRelease> drawn(Plan plan, List<WindowData> windows, int run) {
    ReleaseSampler sampler = plan.releases().get(0).sampler(plan.pipeline()).orElseThrow();
    long size = plan.pipeline().window().grid().longest().toMillis();
    Memory memory = Memory.NONE;
    List<MeanRelease> releases = new ArrayList<>();
    for (int w = 0; w < windows.size(); w++) {
      ReleaseId id = new ReleaseId("b", new StateEpoch(1, run), 1, "m", "north", w * size, 0);
      OutputLabel label = new OutputLabel(id, plan.pipeline(), "m", null, null);
      ReleaseSampler.Drawn drawn =
          drawn(plan, sampler.prepare(w * size, Secret.of(windows.get(w)), memory), label);
      memory = drawn.memory().orElseThrow();
      releases.add((MeanRelease) drawn.parts().get(0).on(null));
    }
    return releases;
  }

  /** 5 windows: of 40 people, of 10, of nobody, of 30 at an end, and of 25. */
  private static final double[][] NUMBERS = {
    IntStream.range(0, 40).mapToDouble(i -> -2 + i / 5.0).toArray(),
    IntStream.range(0, 10).mapToDouble(i -> i % 2 * 6).toArray(),
    {},
    IntStream.range(0, 30).mapToDouble(i -> 6).toArray(),
    IntStream.range(0, 25).mapToDouble(i -> 2).toArray()
  };

  private static double[] numbers(int from, int to) {
    return Arrays.stream(NUMBERS, from, to).flatMapToDouble(Arrays::stream).toArray();
  }

  private static boolean holds(Estimate estimate, double truth) {
    return estimate.getLow() - 1e-9 <= truth && truth <= estimate.getHigh() + 1e-9;
  }

  private static void count(Map<String, Integer> inside, String of, MeanRow row, double[] truth) {
    double sum = Arrays.stream(truth).sum();
    double mean = sum / truth.length;
    double variance = Arrays.stream(truth).map(x -> (x - mean) * (x - mean)).sum() / truth.length;
    inside.merge(of + " count", holds(row.getCount(), truth.length) ? 1 : 0, Integer::sum);
    inside.merge(of + " sum", holds(row.getSum(), sum) ? 1 : 0, Integer::sum);
    if (truth.length > 0) {
      inside.merge(of + " mean", holds(row.getMean(), mean) ? 1 : 0, Integer::sum);
      if (row.getVariance() != null) {
        inside.merge(of + " variance", holds(row.getVariance(), variance) ? 1 : 0, Integer::sum);
      }
    }
  }

  /**
   * By Chernoff's bound so few are inside with probability below 1e-11 each, of fewer than 50, if
   * an interval held the truth in 95 of 100; so many counts of users with 1e-11 if it did in 97.5.
   */
  private static void assertCovers(Map<String, Integer> inside, int draws, boolean exactly) {
    inside.forEach(
        (of, number) -> {
          double p = number / (double) draws;
          if (p < 0.95) {
            assertThat(surprise(p, 0.95, draws)).as(of + " covers " + p).isLessThan(Math.log(1e11));
          }
          if (exactly && of.endsWith("count") && p > 0.975) {
            // Where nobody is, what is below 0 is cut off, and nothing is wrong with that.
            assertThat(surprise(p, 0.975, draws))
                .as(of + " covers " + p)
                .isLessThan(Math.log(1e11));
          }
        });
  }

  private static double surprise(double p, double q, int draws) {
    return draws * (p * Math.log(p / q) + (p == 1 ? 0 : (1 - p) * Math.log((1 - p) / (1 - q))));
  }

  @ParameterizedTest
  @CsvSource({
    "user, gaussian, 1, 'running: 5, over: 2', 3000",
    "user, gaussian, 1, 'running: forever, over: 3', 3000",
    "user, gaussian, 1, 'over: 2', 3000",
    "user, gaussian, 2, 'running: 5, over: 2', 1000",
    "record, gaussian, 1, 'running: 5, over: 2', 3000",
    "record, gaussian, 2, 'running: forever, over: 2', 1000",
    "user, laplace, 1, 'running: 5, over: 2', 1000",
    "user, laplace, 2, 'over: 3', 200",
    "record, laplace, 1, 'running: 5, over: 2', 1000",
    "record, laplace, 2, 'running: forever, over: 2', 200"
  })
  void shouldHoldTheTruth(String unit, String method, int moments, String over, int draws) {
    Plan plan = plan(unit, method, moments, over);
    int last = over.endsWith("3") ? 3 : 2;
    List<WindowData> windows = Arrays.stream(NUMBERS).map(x -> window(moments, x)).toList();
    Map<String, Integer> inside = new TreeMap<>();
    for (int i = 0; i < draws; i++) {
      List<MeanRelease> releases = drawn(plan, windows, i);
      for (int w = 0; w < windows.size(); w++) {
        MeanRelease release = releases.get(w);
        int since = over.startsWith("running") ? 0 : w;
        count(inside, "own of " + w, release.getRows().get(0), numbers(since, w + 1));
        double[] latest = numbers(Math.max(0, w + 1 - last), w + 1);
        count(inside, "last of " + w, release.getLastRows().get(0), latest);
      }
    }
    assertCovers(inside, draws, unit.equals("user") && over.startsWith("running"));
  }

  /**
   * The noise of parts has the deviation that is said: its squares add up to chi-square, which for
   * 6,000 is off by more than 14% with probability below 1e-10 (Laurent and Massart 2000, x = 23).
   */
  @Test
  void shouldSayHowLargeTheNoiseIs() {
    Plan plan = plan("user", "gaussian", 1, "running: 5, over: 2");
    List<WindowData> windows = Arrays.stream(NUMBERS).map(x -> window(1, x)).toList();
    double[] squares = new double[2];
    int draws = 3_000;
    double[] all = numbers(0, 5);
    double[] latest = numbers(3, 5);
    for (int i = 0; i < draws; i++) {
      MeanRelease release = drawn(plan, windows, i).get(4);
      squares[0] += squares(release.getRows().get(0), all, release.getDeviation());
      squares[1] += squares(release.getLastRows().get(0), latest, release.getLastDeviation());
    }
    for (double sum : squares) {
      assertThat(sum / (2 * draws)).isBetween(0.86, 1.14);
    }
  }

  /**
   * Laplace noise of scale 1, one record of a user at epsilon 1, on every window's own parts: so
   * much of what is told is beyond each distance as the closed form says, but for 0.05 (Dvoretzky,
   * Kiefer and Wolfowitz: of 5,000 with probability below 1e-10).
   */
  @Test
  void shouldDrawSumsOfLaplaceNoise() {
    Plan plan = plan("user", "laplace", 1, "running: 5, over: 2");
    List<WindowData> windows = Arrays.stream(NUMBERS).map(x -> window(1, x)).toList();
    int draws = 2_500;
    List<Double> all = new ArrayList<>();
    List<Double> latest = new ArrayList<>();
    for (int i = 0; i < draws; i++) {
      MeanRelease release = drawn(plan, windows, i).get(4);
      noise(release.getRows().get(0), numbers(0, 5)).forEach(x -> all.add(Math.abs(x)));
      noise(release.getLastRows().get(0), numbers(3, 5)).forEach(x -> latest.add(Math.abs(x)));
      assertThat(release.getDeviation()).isCloseTo(Math.sqrt(10), within(1e-5));
      assertThat(release.getLastDeviation()).isCloseTo(2, within(1e-5));
    }
    assertLaw(all, 5);
    assertLaw(latest, 2);
  }

  private static void assertLaw(List<Double> sizes, int windows) {
    List<Double> sorted = sizes.stream().sorted().toList();
    for (int i = 0; i < sorted.size(); i++) {
      double beyond = 1 - (i + 1.0) / sorted.size();
      assertThat(LaplaceNoise.tail(sorted.get(i), windows)).isCloseTo(beyond, within(0.05));
    }
  }

  /** The same of one input: the bytes that went out are those that go out again. */
  @ParameterizedTest
  @CsvSource({"user, laplace", "record, laplace", "user, gaussian"})
  void shouldDrawTheSameOfTheSameInput(String unit, String method) {
    Plan plan = plan(unit, method, 1, "running: 5, over: 2");
    ReleaseSampler sampler = plan.releases().get(0).sampler(plan.pipeline()).orElseThrow();
    ReleaseId id = new ReleaseId("b", new StateEpoch(1, 1), 1, "m", "north", 0, 0);
    List<MeanRelease> releases = new ArrayList<>();
    for (double x : new double[] {2, 2, Math.nextUp(2 + 0x1.0p-17)}) {
      ReleaseSampler.Prepared prepared = sampler.prepare(0, Secret.of(window(1, x)), Memory.NONE);
      OutputLabel label = new OutputLabel(id, plan.pipeline(), "m", null, null);
      releases.add((MeanRelease) drawn(plan, prepared, label).parts().get(0).on(null));
    }
    assertThat(releases.get(1)).isEqualTo(releases.get(0));
    int last = releases.get(0).getRows().get(0).getParts().size() - 1;
    assertThat(releases.get(2).getRows().get(0).getParts().get(last))
        .as("another input has other noise")
        .isNotCloseTo(releases.get(0).getRows().get(0).getParts().get(last), within(1e-3));
  }

  /** Noise of parts, in records. */
  private static List<Double> noise(MeanRow row, double[] numbers) {
    long[] truth = new long[2];
    for (double x : numbers) {
      long[] parts = new BernsteinParts(BOUNDS, 1).of(x);
      Arrays.setAll(truth, k -> truth[k] + parts[k]);
    }
    return IntStream.range(0, 2)
        .mapToObj(k -> row.getParts().get(k) - truth[k] / (double) BernsteinParts.STEPS)
        .toList();
  }

  private static double squares(MeanRow row, double[] numbers, double deviation) {
    double squares = 0;
    for (double noise : noise(row, numbers)) {
      squares += noise * noise / (deviation * deviation);
    }
    return squares;
  }

  /** A window that does not follow begins anew, and so do sums of other noise. */
  @Test
  void shouldGoOnOnlyWithWhatItLeftItself() {
    Plan plan = plan("record", "gaussian", 1, "running: forever");
    ReleaseSampler sampler = plan.releases().get(0).sampler(plan.pipeline()).orElseThrow();
    long size = plan.pipeline().window().grid().longest().toMillis();
    WindowData data = window(1, 1, 2, 3);
    Memory memory = Memory.NONE;
    long[] starts = {0, 1, 3, 4};
    long[] records = {3, 6, 3, 6};
    for (int i = 0; i < starts.length; i++) {
      long start = starts[i] * size;
      ReleaseId id = new ReleaseId("b", new StateEpoch(1, 1), 1, "m", "ann", start, 0);
      ReleaseSampler.Drawn drawn =
          drawn(
              plan,
              sampler.prepare(start, Secret.of(data), memory),
              new OutputLabel(id, plan.pipeline(), "m", null, null));
      memory = drawn.memory().orElseThrow();
      assertThat(((MeanRelease) drawn.parts().get(0).on(null)).getRecords()).isEqualTo(records[i]);
    }
    Plan another = plan("record", "best", 1, "over: 2");
    ReleaseSampler other = another.releases().get(0).sampler(plan.pipeline()).orElseThrow();
    byte[] ofCounts = {2, 0, 0};
    for (Memory left : List.of(memory, Memory.ofData(ofCounts))) {
      ReleaseId id = new ReleaseId("b", new StateEpoch(1, 1), 1, "m", "ann", 5 * size, 0);
      MeanRelease anew =
          (MeanRelease)
              drawn(
                      another,
                      other.prepare(5 * size, Secret.of(data), left),
                      new OutputLabel(id, plan.pipeline(), "m", null, null))
                  .parts()
                  .get(0)
                  .on(null);
      assertThat(anew.getLastWindows()).isEqualTo(1);
      assertThat(anew.getLastRecords()).isEqualTo(3);
    }
  }

  /** Tables and the page say since when, and the last windows beside. */
  @Test
  void shouldShowWhichWindowsItIsAbout() {
    Plan plan = plan("record", "best", 1, "running: 5, over: 2");
    List<WindowData> windows = Arrays.stream(NUMBERS).map(x -> window(1, x)).toList();
    MeanRelease release = drawn(plan, windows, 0).get(4);
    MeanView view = new MeanView();
    assertThat(Shown.whole(release))
        .contains("since 1970-01-01 00:00  x mean ")
        .contains(" of 105 records  last 2: x mean ")
        .endsWith(" of 55 records");
    Card card = new ShownOutput(view, release).card(plan.releases().get(0));
    assertThat(card.from()).isEqualTo(release.getSince());
    assertThat(card.sections())
        .extracting(section -> section.stretch().words())
        .containsExactly(
            "running since 1970-01-01 00:00 (5 windows)",
            "last 2 windows, since " + Times.day(release.getLastSince()));
    assertThat(card.sections())
        .allSatisfy(
            section -> assertThat(section.rows()).extracting(Card.Row::label).containsExactly("x"));
    assertThat(view.likelihood(release, plan.releases().get(0))).isEmpty();
    assertThat(view.drawn()).contains("rows", "last_rows");
  }
}
