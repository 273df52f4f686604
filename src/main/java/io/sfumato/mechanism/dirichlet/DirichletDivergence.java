package io.sfumato.mechanism.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;
import static org.apache.commons.math3.special.Gamma.trigamma;

/** Upper bounds of the Rényi divergence between Dirichlet(r f + a) and Dirichlet(r f' + a). */
public final class DirichletDivergence {
  /** Bounds the error of log-gamma and of the sum, relative to the sum of magnitudes. */
  private static final double LOG_GAMMA_ERROR = 0x1.0p-48;

  /** Bounds the error of commons-math3's trigamma, which promises 1e-8. */
  private static final double TRIGAMMA_ERROR = 1e-7;

  private DirichletDivergence() {}

  /**
   * Theorem A of docs/privacy.md, for replacing ONE record (s = r):
   *
   * <pre>  eps(L) = [lnG(a + L s) + lnG(a - (L-1) s) - lnG(a + s) - lnG(a)] / (L - 1)</pre>
   *
   * Attained by (1, 0, ...) and (0, 1, ...), hence exact up to an upward rounding.
   *
   * @return nats; +infinity if a is at most (L-1) s
   */
  public static double replaceOne(double order, double r, double a) {
    double s = r;
    double lowest = a - (order - 1) * s;
    if (!(lowest > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double g1 = logGamma(a + order * s);
    double g2 = logGamma(lowest);
    double g3 = logGamma(a + s);
    double g4 = logGamma(a);
    double magnitude = Math.abs(g1) + Math.abs(g2) + Math.abs(g3) + Math.abs(g4) + 1;
    double divergence = g1 + g2 - g3 - g4 + LOG_GAMMA_ERROR * magnitude;
    return Math.max(0, divergence / (order - 1));
  }

  /**
   * The paper's Theorem 1 and Remark 1, with D2^2 = 2 and Dinf = 1 (replacing one record moves one
   * count from a category to another):
   *
   * <pre>  eps(L) = 1/2 L r^2 D2^2 psi'(a - (L-1) r Dinf),   if a - (L-1) r Dinf >= 1</pre>
   *
   * At a = 1 + 4 (L-1) r Dinf this is Algorithm 1's line 1.
   *
   * @return nats; +infinity where the paper gives no bound
   */
  public static double paper(double order, double r, double a) {
    double argument = a - (order - 1) * r;
    if (!(argument >= 1)) {
      return Double.POSITIVE_INFINITY;
    }
    double squaredL2Sensitivity = 2;
    return 0.5 * order * r * r * squaredL2Sensitivity * trigamma(argument) * (1 + TRIGAMMA_ERROR);
  }
}
