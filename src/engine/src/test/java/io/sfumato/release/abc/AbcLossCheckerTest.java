// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Epsilon;
import io.sfumato.gate.Draw;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.abc.QueryInput;
import io.sfumato.mechanism.abc.Question;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.mechanism.abc.SparseVectorQueries;
import io.sfumato.mechanism.abc.ThresholdMechanism;
import io.sfumato.pipeline.Pair;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AbcLossCheckerTest {
  private static final SparseVectorQueries QUERIES =
      new SparseVectorQueries(0.2, Epsilon.of("1"), 2, Threshold.REDRAWN);

  private final AbcLossChecker checker = new AbcLossChecker();

  private static ReleaseId id(String output) {
    return new ReleaseId("b", new StateEpoch(1, 2), 1, output, "ann", 0, 0);
  }

  private static QueryInput query(long records, int data) {
    return QUERIES.query(0.01, records, 9, new byte[] {(byte) data});
  }

  private static Draw<ExactData> threshold(long records, int data) {
    return draw(
        Draw.of(id("fit/q/threshold"), new ThresholdMechanism(QUERIES), query(records, data)));
  }

  private static Draw<ExactData> answer(double distance) {
    Question question = new Question(query(40, 1), new byte[0], distance, Optional.empty());
    return draw(Draw.of(id("fit/q"), QUERIES, question));
  }

  /** As the audit has draws of one output. */
  @SuppressWarnings("unchecked")
  private static Draw<ExactData> draw(Draw<?> any) {
    return (Draw<ExactData>) any;
  }

  private List<String> tooFar(Draw<ExactData> first, Draw<ExactData> second) {
    Pair<ExactData> pair = new Pair<>(first, second);
    return checker.same(pair) ? List.of() : checker.tooFar(List.of(pair), null);
  }

  @Test
  void shouldJudgeAnswersByTheirDistances() {
    assertThat(checker.same(new Pair<>(answer(0.1), answer(0.1)))).isTrue();
    assertThat(checker.same(new Pair<>(answer(0.1), answer(0.105)))).isFalse();
    assertThat(tooFar(answer(0.1), answer(0.105))).isEmpty();
    assertThat(tooFar(answer(0.1), answer(0.2)))
        .singleElement()
        .asString()
        .startsWith("answer b/")
        .endsWith("its noise was made for 0.01");
  }

  /** Other records: the same law. Another number of records: other noise, perhaps. */
  @Test
  void shouldJudgeThresholdsByTheirLaws() {
    assertThat(checker.same(new Pair<>(threshold(40, 1), threshold(40, 2)))).isTrue();
    assertThat(tooFar(threshold(40, 1), threshold(41, 1)))
        .singleElement()
        .asString()
        .startsWith("threshold b/")
        .endsWith("its law differs between neighbours");
  }

  /** One charge pays for the answers of a query, whatever their places. */
  @Test
  void shouldAskOneChargeForAQuery() {
    assertThat(checker.chargeOf(answer(0.1), null)).hasValue("fit/q/ann");
  }
}
