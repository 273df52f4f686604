// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one release costs, fixed before any data is touched: the same loss, seen by every accountant
 * that has a proof for it.
 *
 * @param mechanism with its full parameters, as one canonical line: the identity of the charge
 * @param unit what it protects
 * @param curve Rényi curve of one release, in nats
 * @param pure the pure epsilon, where there is one
 * @param profile the privacy profile, where there is a proof of one
 */
public record PrivacyCost(
    String mechanism,
    PrivacyUnit unit,
    RenyiCurve curve,
    OptionalDouble pure,
    Optional<PrivacyProfile> profile) {
  /**
   * @throws IllegalArgumentException if the mechanism has no name, or the pure epsilon is below 0
   */
  public PrivacyCost {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(curve, "curve");
    if (mechanism.isBlank()) {
      throw new IllegalArgumentException("a charge names its mechanism");
    }
    if (pure.isPresent() && !(pure.getAsDouble() >= 0)) {
      throw new IllegalArgumentException("a pure epsilon is at least 0, was " + pure);
    }
  }

  /**
   * A charge of which only the Rényi curve is proved.
   *
   * @param mechanism its name and parameters: charges of the same name are the same charge
   * @param unit that the curve protects
   * @param curve in nats
   */
  public static PrivacyCost renyi(String mechanism, PrivacyUnit unit, RenyiCurve curve) {
    return new PrivacyCost(mechanism, unit, curve, OptionalDouble.empty(), Optional.empty());
  }

  /**
   * A charge with a curve and an exact profile, without pure epsilon.
   *
   * @param mechanism its name and parameters: charges of the same name are the same charge
   * @param unit that the curve protects
   * @param curve in nats
   * @param profile of one release
   */
  public static PrivacyCost of(
      String mechanism, PrivacyUnit unit, RenyiCurve curve, PrivacyProfile profile) {
    return new PrivacyCost(mechanism, unit, curve, OptionalDouble.empty(), Optional.of(profile));
  }

  /**
   * A purely private release: nothing is known of it but its epsilon.
   *
   * @param mechanism its name and parameters: charges of the same name are the same charge
   * @param unit that epsilon protects
   * @param epsilon in nats, at least 0
   * @throws IllegalArgumentException if epsilon is below 0
   */
  public static PrivacyCost pure(String mechanism, PrivacyUnit unit, double epsilon) {
    return new PrivacyCost(
        mechanism,
        unit,
        RenyiCurve.pure(epsilon),
        OptionalDouble.of(epsilon),
        Optional.of(PrivacyProfile.pure(epsilon)));
  }
}
