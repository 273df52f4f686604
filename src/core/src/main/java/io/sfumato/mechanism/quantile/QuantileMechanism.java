// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.factorised.FactorisedMechanism;
import io.sfumato.mechanism.factorised.NoisyRows;
import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Noisy rows over the bins that a window's values fall into, from which all its quantiles are
 * estimated.
 *
 * @param bins public
 * @param rows as many rows as bins, with what neighbours move in them
 */
public record QuantileMechanism(Bins bins, FactorisedMechanism rows)
    implements Mechanism<RowCounts, NoisyBins> {
  public QuantileMechanism {
    if (rows.root().rows() != bins.number()) {
      throw new IllegalArgumentException(
          rows.root().rows() + " rows for " + bins.number() + " bins");
    }
  }

  /** Whether the number of records is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return rows.sensitivity().unit() == PrivacyUnit.RECORD;
  }

  @Override
  public String method() {
    return rows.method();
  }

  @Override
  public Charge charge() {
    return rows.charge();
  }

  @Override
  public Map<String, Double> parameters() {
    return rows.parameters();
  }

  @Override
  public Law<NoisyBins> law(RowCounts exact) {
    Law<NoisyRows> law = rows.law(exact);
    OptionalLong records = sizeIsPublic() ? OptionalLong.of(exact.total()) : OptionalLong.empty();
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing.text("quantile");
        bins.frame(framing);
        law.frame(framing);
      }

      @Override
      public NoisyBins draw(ReplayableRandom random) {
        return new NoisyBins(records, law.draw(random));
      }
    };
  }

  @Override
  public OptionalDouble divergence(double order, RowCounts first, RowCounts second) {
    return rows.divergence(order, first, second);
  }
}
