// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.abc.Question;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers to candidates: what moves between neighbours is a distance. */
final class AbcJudge implements DrawJudge<Question> {
  @Override
  public boolean same(Pair<Question> pair) {
    return pair.first().exact().distance() == pair.second().exact().distance();
  }

  @Override
  public List<String> tooFar(List<Pair<Question>> pairs, ChargeAssumptions claim) {
    List<String> far = new ArrayList<>();
    for (Pair<Question> pair : pairs) {
      Question asked = pair.first().exact();
      double moved = Math.abs(asked.distance() - pair.second().exact().distance());
      if (moved > asked.query().sensitivity()) {
        far.add(
            "answer %s: its distance moves by %s, its noise was made for %s"
                .formatted(pair.first().id().text(), moved, asked.query().sensitivity()));
      }
    }
    return far;
  }

  /** A query is charged whole; its id is all of an answer's output but the candidate. */
  @Override
  public Optional<String> chargeOf(Draw<Question> draw, ChargeAssumptions claim) {
    return Optional.of(draw.id().output() + "/" + draw.id().subject());
  }
}
