package io.sfumato.accounting;

import java.util.Objects;

/**
 * What one release costs, fixed before any data is touched.
 *
 * @param mechanism with its full parameters, as one canonical line: the identity of the charge
 * @param unit what the curve protects
 * @param curve Rényi curve of one release, in nats
 */
public record Charge(String mechanism, PrivacyUnit unit, RenyiCurve curve) {
  public Charge {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(curve, "curve");
    if (mechanism.isBlank()) {
      throw new IllegalArgumentException("a charge names its mechanism");
    }
  }
}
