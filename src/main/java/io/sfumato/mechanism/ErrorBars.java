package io.sfumato.mechanism;

import java.util.Map;

/**
 * How far the noise moves a released share: half the width of a 95% interval around it, roughly.
 * From the release and the public parameters alone.
 */
public final class ErrorBars {
  private static final double Z = 1.96;

  /** What is known of a dataset's size. */
  public enum Size {
    /** N is public: noisy counts are made to add up to it. */
    PUBLIC,
    /** The noisy counts' own sum stands for it. */
    NOISY
  }

  private ErrorBars() {}

  /**
   * What comes on top where a share is published as items that are drawn from it.
   *
   * @param items number of them; 0 where there are none
   */
  public static double ofItems(double share, long items) {
    return items == 0 ? 0 : Z * Math.sqrt(share * (1 - share) / items);
  }

  /**
   * @param share that was released, 0 to 1
   * @param records that the histogram held, or what is known of their number
   * @param categories number of categories
   * @param size whether that number is public
   */
  public static double halfWidth(
      HistogramMechanism mechanism, double share, long records, int categories, Size size) {
    Map<String, Double> parameters = mechanism.parameters();
    double noise = noises(share, categories, size) / Math.max(1, records);
    switch (mechanism.method()) {
      case "dirichlet":
        // Var of Dirichlet(r f + a): y (1 - y) / (r N + d a + 1).
        double mass = parameters.get("r") * records + categories * parameters.get("alpha");
        return Z * Math.sqrt(share * (1 - share) / (mass + 1));
      case "gaussian":
        return Z * parameters.get("sigma") * noise;
      case "laplace":
        // P(|X| > b ln 20) = 5%.
        return parameters.get("scale") * Math.log(20) * noise;
      default:
        return 0;
    }
  }

  /** Deviations of a count's noise in a share of N. */
  private static double noises(double share, int categories, Size size) {
    if (size == Size.PUBLIC) {
      // Noise that all counts have in common goes out when they are made to add up to N.
      return Math.sqrt(1 - 1.0 / categories);
    }
    // z_i / sum z: the derivative is (1 - y) by z_i, and -y by every other count.
    return Math.sqrt((1 - share) * (1 - share) + (categories - 1) * share * share);
  }
}
