// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.schema;

/** Guarantees of releases that no pipeline made. */
public final class Guarantees {
  private Guarantees() {}

  /** A guarantee of which a test sets only what it looks at. */
  public static Guarantee.Builder any() {
    return Guarantee.newBuilder()
        .setUnit("user")
        .setAdjacency("")
        .setClock("ticks")
        .setPeriod("window")
        .setMechanism("")
        .setAdmission("")
        .setRenyiOrder(2)
        .setRenyiEpsilon(1)
        .setEpsilon(1)
        .setDelta(1e-6)
        .setBudget("test")
        .setPipelineVersion(1)
        .setNoiseKey("");
  }
}
