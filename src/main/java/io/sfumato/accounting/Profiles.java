package io.sfumato.accounting;

/** The last step of every closed-form profile. */
public final class Profiles {
  /** Bounds the error of one term, relative to its value. */
  private static final double TERM_ERROR = 2e-14;

  private Profiles() {}

  /** e^larger - e^smaller in [0, 1], never below the truth: both given as logarithms. */
  public static double difference(double lnLarger, double lnSmaller) {
    double larger = StrictMath.exp(lnLarger);
    double smaller = StrictMath.exp(lnSmaller);
    double error = TERM_ERROR * (1 + Math.abs(lnLarger) + Math.abs(lnSmaller));
    if (lnLarger == Double.NEGATIVE_INFINITY) {
      return 0;
    }
    return Math.max(0, Math.min(1, larger - smaller + error * (larger + smaller)));
  }
}
