// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.abc.QueryInput;
import io.sfumato.mechanism.abc.Question;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import io.sfumato.random.CanonicalEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Answers to candidates, and the noisy thresholds of their queries. What moves between neighbours
 * is the distance of an answer; the law of a threshold is a function of public facts.
 */
final class AbcLossChecker implements LossChecker<ExactData> {
  @Override
  public boolean same(Pair<ExactData> pair) {
    if (pair.first().exact() instanceof Question first
        && pair.second().exact() instanceof Question second) {
      return first.distance() == second.distance();
    }
    return Arrays.equals(lawOf(pair.first()), lawOf(pair.second()));
  }

  /** What the law of a noisy threshold follows from. */
  private static byte[] lawOf(Draw<ExactData> threshold) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    ((QueryInput) threshold.exact()).encodeInput(encoder);
    return encoder.toBytes();
  }

  @Override
  public List<String> tooFar(List<Pair<ExactData>> pairs, ChargeAssumptions assumed) {
    List<String> far = new ArrayList<>();
    for (Pair<ExactData> pair : pairs) {
      if (pair.first().exact() instanceof Question asked
          && pair.second().exact() instanceof Question other) {
        double moved = Math.abs(asked.distance() - other.distance());
        if (moved > asked.query().sensitivity()) {
          far.add(
              "answer %s: its distance moves by %s, its noise was made for %s"
                  .formatted(pair.first().id().text(), moved, asked.query().sensitivity()));
        }
      } else {
        far.add(
            "threshold %s: its law differs between neighbours".formatted(pair.first().id().text()));
      }
    }
    return far;
  }

  /** A query is charged whole; its id is all of an answer's output but the candidate. */
  @Override
  public Optional<String> chargeOf(Draw<ExactData> draw, ChargeAssumptions assumed) {
    return Optional.of(draw.id().output() + "/" + draw.id().subject());
  }
}
