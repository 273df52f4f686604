package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.Plan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorBarsTest {
  private static final int DRAWS = 4_000;

  /**
   * Of 4,000 draws with a fixed seed, 95% lie as near to their mean as the bar around the mean
   * says, give or take 2.5 points: more than 7 standard deviations of that count, so below 1e-9 by
   * chance alone; what is left of it is room for the normal approximation.
   */
  @ParameterizedTest
  @ValueSource(strings = {"dirichlet", "gaussian", "laplace"})
  void shouldHoldNinetyFiveOfAHundredDraws(String method) throws Exception {
    HistogramMechanism mechanism = mechanism(method);
    Histogram histogram = new Histogram(new long[] {220, 120, 60});
    ReplayableRandom random = ReplayableRandom.ofPublicSeed("error bars " + method);
    double[] shares = new double[DRAWS];
    double mean = 0;
    for (int i = 0; i < DRAWS; i++) {
      shares[i] = ((Distribution) mechanism.release(histogram, random)).share(1);
      mean += shares[i] / DRAWS;
    }
    double half = ErrorBars.halfWidth(mechanism, mean, histogram.size(), 3, ErrorBars.Size.PUBLIC);
    int inside = 0;
    for (double share : shares) {
      inside += Math.abs(share - mean) <= half ? 1 : 0;
    }
    assertThat((double) inside / DRAWS).isCloseTo(0.95, within(0.025));
  }

  private static HistogramMechanism mechanism(String method) throws Exception {
    String yaml =
        """
        pipeline: bars
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
        window: { size: 10s }
        budget: { name: bars, unit: record, epsilon: 4, delta: 1e-6 }
        releases:
          - histogram: { name: mix, method: %s, share: { epsilon: 4, delta: 1e-6 }, windows: 4, plan-size: 400 }
        """
            .formatted(method);
    return Plan.of("bars.yaml", PipelineFile.parse("bars.yaml", yaml))
        .histograms()
        .get(0)
        .plan()
        .mechanism();
  }
}
