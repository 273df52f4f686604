// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final CostModel TRUTH =
      new CostModel(5e-6, 4e-5, 3e-6, 5e-8, 1e-6, 2e-6, 1e-4, 2e-2);

  @Test
  void shouldFindThePricesThatSamplesWereMadeWith() {
    CostModel found = CostModel.fit(samples(TRUTH), MeterReading::own);
    assertThat(found.event()).isCloseTo(5e-6, withinPercentage(0.001));
    assertThat(found.release()).isCloseTo(4e-5, withinPercentage(0.001));
    assertThat(found.entry()).isCloseTo(3e-6, withinPercentage(0.001));
    assertThat(found.look()).isCloseTo(5e-8, withinPercentage(0.001));
    assertThat(found.row()).isCloseTo(1e-6, withinPercentage(0.001));
    assertThat(found.marker()).isCloseTo(2e-6, withinPercentage(0.001));
    assertThat(found.taskSecond()).isCloseTo(1e-4, withinPercentage(0.001));
    assertThat(found.threadSecond()).isCloseTo(2e-2, withinPercentage(0.001));
  }

  @Test
  void shouldGiveNothingAPriceBelowZero() {
    CostModel cheaper = new CostModel(5e-6, 4e-5, 3e-6, 5e-8, 1e-6, -2e-8, 1e-4, 2e-2);
    CostModel found = CostModel.fit(samples(cheaper), MeterReading::own);
    assertThat(found.marker()).isZero();
    assertThat(found.event()).isCloseTo(5e-6, withinPercentage(5));
  }

  @Test
  void shouldSayWhenSizesAreTooFew() {
    assertThatThrownBy(() -> CostModel.fit(samples(TRUTH).subList(0, 3), MeterReading::own))
        .hasMessageContaining("too few");
  }

  @Test
  void shouldAddUpWhatAScenarioNeeds() {
    Scenario minute = Scenario.LARGE.window("", 60).commit("", 1);
    Map<String, Double> cores = ScaleForecast.cores(TRUTH, minute);
    assertThat(cores.get("records")).isCloseTo(5, within(1e-9));
    assertThat(cores.get("releases")).isCloseTo(1e8 / 60 * 4e-5, within(1e-9));
    assertThat(cores.get("boundaries"))
        .isCloseTo(256 * 256 / 60.0 * (3e-6 + 2 * 1e-6), within(1e-9));
    // A million records a second and 65,536 ways: 15.3 records an entry, and hardly a way without.
    assertThat(cores.get("entries")).isCloseTo(65_536 * 3e-6, within(1e-6));
    assertThat(cores.get("looks"))
        .as("each looks at 256 journals and 16 changelogs")
        .isCloseTo((65_536 + 65_536 / 60.0) * (256 + 16) * 5e-8, within(1e-4));
    assertThat(cores.get("rows")).isCloseTo((1e6 + 512) * 1e-6, within(1e-9));
    assertThat(cores.get("transactions")).isCloseTo(256 * (64 + 4) * 2e-6, within(1e-9));
    assertThat(cores.get("tasks")).isCloseTo(512 * 1e-4, within(1e-9));
    assertThat(cores.get("threads")).isCloseTo(64 * 2e-2, within(1e-9));
  }

  @Test
  void shouldKnowThatFewRecordsGoTheSameWayWherePartitionsAreMany() {
    assertThat(Scenario.LARGE.entriesPerSecond())
        .as("1.5 records each: of 655,360 ways a second a fifth has none")
        .isCloseTo(655_360 * (1 - Math.exp(-1e5 / 65_536)), within(1.0));
    assertThat(Scenario.LARGE.partitions("", 4).entriesPerSecond())
        .as("an entry holds 500 records")
        .isCloseTo(2_000, within(1e-6));
  }

  /** Work of all kinds at several sizes, at given prices. */
  private static List<ScaleSample> samples(CostModel prices) {
    List<ScaleSample> samples = new ArrayList<>();
    for (int partitions : new int[] {2, 8, 32}) {
      for (int threads : new int[] {1, 2}) {
        for (ScaleSample.Phase phase : ScaleSample.Phase.values()) {
          int seed = samples.size() + 1;
          ScaleSample priceless =
              new ScaleSample(
                  partitions,
                  threads,
                  phase,
                  phase == ScaleSample.Phase.RECORDS ? 10_000 + seed * 100 : 0,
                  phase == ScaleSample.Phase.RELEASES ? 2_000 + seed * 10 : 0,
                  phase == ScaleSample.Phase.WINDOWS || phase == ScaleSample.Phase.JUMPS ? 5 : 0,
                  new MeterReading(
                      0.2 + seed % 7,
                      0,
                      0,
                      Map.of(
                          MeterReading.Kind.JOURNAL, 50.0 + seed * seed % 37,
                          MeterReading.Kind.META, 300.0 + seed * 17 % 101,
                          MeterReading.Kind.STATE, 1_000.0),
                      Map.of(),
                      100 + seed * partitions % 11));
          MeterReading used = priceless.used();
          samples.add(
              new ScaleSample(
                  partitions,
                  threads,
                  phase,
                  priceless.events(),
                  priceless.releases(),
                  priceless.windows(),
                  new MeterReading(
                      used.seconds(),
                      prices.of(priceless),
                      0,
                      used.records(),
                      Map.of(),
                      used.markers())));
        }
      }
    }
    return samples;
  }
}
