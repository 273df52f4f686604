// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.audit.PipelineCanaries;
import io.sfumato.audit.PipelineCanaries.Canary;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One run with many canaries, through the topology. False-alarm rate of each test: 1e-9. */
class PipelineCanariesTest {
  private static final int CANARIES = 400;
  private static final double FAILURE = 1e-9;

  @TempDir Path folder;

  private OneRun.Played played(OneRun attack, PipelineCanaries pipeline) {
    return attack.play(pipeline.name(), pipeline.game(folder)::apply);
  }

  private static OneRunBound claim(PipelineCanaries pipeline) {
    PrivacyCost charge = charge(pipeline);
    return charge.pure().isPresent()
        ? OneRunBound.pure(charge.pure().getAsDouble())
        : OneRunBound.of(charge.profile().orElseThrow());
  }

  /**
   * A user has more records than may count, and is as well hidden as with one; the same records of
   * five users are too many for one user's claim.
   */
  @Test
  void shouldHideAUserOfManyRecordsInACountAndNotFive() {
    OneRun attack = new OneRun(CANARIES, 1, FAILURE);
    PipelineCanaries pipeline = PipelineCanaries.count(CANARIES, new Canary(5, 1));
    OneRun.Played played = played(attack, pipeline);
    assertThat(attack.refutes(claim(pipeline), played)).isFalse();
    assertThat(attack.epsilon(played, 0)).isGreaterThan(0.1);
    PipelineCanaries five = pipeline.with(new Canary(5, 5));
    assertThat(attack.refutes(claim(five), played(attack, five))).isTrue();
  }

  @Test
  void shouldHideARecordInAHistogramAndNoMore() {
    OneRun attack = new OneRun(CANARIES, 1, FAILURE);
    PipelineCanaries pipeline = PipelineCanaries.histogram(CANARIES, Canary.PROTECTED);
    OneRun.Played played = played(attack, pipeline);
    assertThat(attack.refutes(claim(pipeline), played)).isFalse();
    PipelineCanaries five = pipeline.with(new Canary(5, 1));
    assertThat(attack.refutes(claim(five), played(attack, five))).isTrue();
  }

  /** Every subject has noise of its own, so that one run is enough at a delta, too. */
  @Test
  void shouldHideAUserInADirichletDrawAndNotTen() {
    OneRun attack = new OneRun(CANARIES, 1, FAILURE);
    PipelineCanaries pipeline = PipelineCanaries.histogramOfUsers(CANARIES, new Canary(5, 1));
    OneRun.Played honest = played(attack, pipeline);
    OneRunBound claim = OneRunBound.apart(PrivacyClaim.of(charge(pipeline)).profile());
    assertThat(attack.refutes(claim, honest)).isFalse();
    assertThat(attack.epsilon(honest, 1e-6, OneRunBound::apart)).isLessThan(1);
    PipelineCanaries many = pipeline.with(new Canary(10, 10));
    OneRun.Played told = played(attack, many);
    assertThat(attack.refutes(claim, told)).isTrue();
  }

  private static PrivacyCost charge(PipelineCanaries pipeline) {
    return pipeline.plan().releases().get(0).charge();
  }
}
