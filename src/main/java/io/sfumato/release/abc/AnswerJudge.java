// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.accounting.Divergences;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** AnswerJudge to candidates. The law of a sparse vector's answers has no closed form here. */
final class AnswerJudge implements DrawJudge<AnswerDraw> {
  @Override
  public Class<AnswerDraw> draws() {
    return AnswerDraw.class;
  }

  @Override
  public boolean same(Pair<AnswerDraw> pair) {
    return pair.first().distance() == pair.second().distance();
  }

  @Override
  public List<String> tooFar(List<Pair<AnswerDraw>> pairs, Claim claim) {
    List<String> far = new ArrayList<>();
    for (Pair<AnswerDraw> pair : pairs) {
      AnswerDraw answer = pair.first();
      double moved = Math.abs(answer.distance() - pair.second().distance());
      if (moved > answer.sensitivity()) {
        far.add(
            "answer %s: its distance moves by %s, its noise was made for %s"
                .formatted(answer.id().text(), moved, answer.sensitivity()));
      }
    }
    return far;
  }

  @Override
  public OptionalDouble divergence(double order, Pair<AnswerDraw> pair, Claim claim) {
    QueryNoise answering = pair.first().answering();
    double first = pair.first().distance();
    double second = pair.second().distance();
    if (answering instanceof RejectionCoin coin) {
      return OptionalDouble.of(Divergences.finite(order, sides(coin, first), sides(coin, second)));
    }
    if (answering instanceof SoftWeights weights) {
      double steps = weights.exact(first) - weights.exact(second);
      return OptionalDouble.of(Divergences.gaussian(order, steps * steps, weights.variance()));
    }
    return OptionalDouble.empty();
  }

  private static double[] sides(RejectionCoin coin, double distance) {
    double heads = coin.acceptance(distance);
    return new double[] {heads, 1 - heads};
  }

  /** A query is charged whole; its id is all of an answer's output but the candidate. */
  @Override
  public Optional<String> chargeOf(AnswerDraw draw, Claim claim) {
    return Optional.of(draw.id().output() + "/" + draw.id().subject());
  }
}
