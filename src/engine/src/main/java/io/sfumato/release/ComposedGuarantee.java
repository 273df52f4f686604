// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.PlannedRelease;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What an output promises: what its release does, or, where it is made of several, what these do
 * together. Shares add up (basic composition), and so do Rényi divergences of one order.
 *
 * @param releases that it is, or is made of, at least one, all of one unit
 */
public record ComposedGuarantee(List<PlannedRelease> releases) {
  public ComposedGuarantee {
    releases = List.copyOf(releases);
  }

  /** What is protected. */
  public PrivacyUnit unit() {
    return releases.get(0).charge().unit();
  }

  /** The identities of the charges. */
  public String mechanism() {
    return joined(release -> release.charge().mechanism());
  }

  /** How charges are admitted. */
  public String admission() {
    return joined(release -> release.share().filter().words());
  }

  private String joined(Function<PlannedRelease, String> text) {
    return releases.stream().map(text).collect(Collectors.joining(" + "));
  }

  /** The order at which a Rényi divergence is told. */
  public double order() {
    PlannedRelease first = releases.get(0);
    return first.share().reportedOrder(first.charge());
  }

  /** The divergence of one window's draws, in nats. */
  public double renyiEpsilon() {
    double order = order();
    return releases.stream().mapToDouble(release -> release.charge().curve().at(order)).sum();
  }

  /** Of the shares. */
  public double epsilon() {
    return releases.stream()
        .map(release -> release.share().epsilon().value())
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .doubleValue();
  }

  /** Of the shares. */
  public double delta() {
    return releases.stream()
        .map(release -> release.share().delta().value())
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .doubleValue();
  }
}
