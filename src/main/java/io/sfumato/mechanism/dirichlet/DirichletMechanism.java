package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.noise.Framing;
import io.sfumato.noise.GammaSampler;
import io.sfumato.noise.ReplayableRandom;

/**
 * One draw y ~ Dirichlet(r f + a) of a histogram f: strictly positive shares that add up to 1. Unit
 * {@code record}, replace one.
 */
public final class DirichletMechanism
    implements Mechanism<Histogram, DirichletMechanism.Distribution> {

  private final DirichletParameters parameters;
  private final int categories;
  private final Charge charge;

  public DirichletMechanism(
      DirichletParameters parameters, Calibration calibration, int categories) {
    this.parameters = parameters;
    this.categories = categories;
    this.charge =
        new Charge(
            "dirichlet " + calibration.word() + " " + parameters.text(),
            PrivacyUnit.RECORD,
            calibration.curve(parameters));
  }

  @Override
  public Charge charge() {
    return charge;
  }

  public DirichletParameters parameters() {
    return parameters;
  }

  @Override
  public void frame(Histogram histogram, Framing framing) {
    framing
        .text("dirichlet")
        .number(parameters.rSteps())
        .number(parameters.aSteps())
        .numbers(histogram.counts());
  }

  @Override
  public Distribution release(Histogram histogram, ReplayableRandom random) {
    if (histogram.categories() != categories) {
      throw new IllegalArgumentException(
          "planned for " + categories + " categories, got " + histogram.categories());
    }
    double[] weights = new double[categories];
    for (int i = 0; i < categories; i++) {
      double shape = parameters.r() * histogram.count(i) + parameters.a();
      weights[i] = GammaSampler.sample(random, shape);
    }
    return Distribution.normalised(weights);
  }

  /**
   * Shares on the grid 2^-40, none below one step, adding up to exactly 1. Rounding is
   * post-processing of the draw.
   */
  public static final class Distribution {
    /** Steps in one. */
    public static final long STEPS = 1L << 40;

    private final long[] steps;

    private Distribution(long[] steps) {
      this.steps = steps;
    }

    static Distribution normalised(double[] weights) {
      double sum = 0;
      for (double weight : weights) {
        sum += weight;
      }
      long[] steps = new long[weights.length];
      long left = STEPS;
      int largest = 0;
      for (int i = 0; i < weights.length; i++) {
        steps[i] = Math.max(1, Math.round(weights[i] / sum * STEPS));
        left -= steps[i];
        largest = steps[i] > steps[largest] ? i : largest;
      }
      // At most half a step a category, so the largest share can always take it.
      steps[largest] += left;
      return new Distribution(steps);
    }

    public int categories() {
      return steps.length;
    }

    /** The share of a category, in (0, 1): exact, since it has at most 40 binary digits. */
    public double share(int category) {
      return (double) steps[category] / STEPS;
    }
  }
}
