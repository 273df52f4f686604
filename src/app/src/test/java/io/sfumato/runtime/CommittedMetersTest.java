// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.ops.RunningCounts;
import io.sfumato.topology.context.PipelineMeters;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommittedMetersTest {
  private final Transactions transactions = new Transactions();
  private final RunningCounts counts = new RunningCounts();
  private final CommittedMeters meters = new CommittedMeters(counts, transactions);

  @Test
  void shouldCountAReleaseWhenItsTransactionIsCommitted() {
    transactions.begin();
    meters.released(0, "mix");
    meters.charged("mix", "dirichlet");
    assertThat(counts.releases()).isZero();
    transactions.commit(() -> {});
    assertThat(counts.releasesByOutput()).isEqualTo(Map.of("mix", 1L));
    assertThat(counts.charges()).hasSize(1);
  }

  @Test
  void shouldNeverCountWhatAnAbortedTransactionDid() {
    transactions.begin();
    meters.released(0, "mix");
    transactions.giveUp();
    transactions.begin();
    meters.released(0, "mix");
    assertThatThrownBy(
            () ->
                transactions.commit(
                    () -> {
                      throw new IllegalStateException("fenced");
                    }))
        .hasMessage("fenced");
    transactions.begin();
    transactions.commit(() -> {});
    assertThat(counts.releases()).isZero();
  }

  /** Whoever is told of a window must be able to read its releases. */
  @Test
  void shouldSayThatAWindowIsReleasedWhenItsReleasesAreCommitted() {
    transactions.begin();
    meters.released(0, "mix");
    meters.closed(0, 10);
    assertThat(counts.partitions()).isEmpty();
    transactions.commit(() -> {});
    assertThat(counts.partitions().get(0).released()).hasValue(10);
    transactions.begin();
    meters.closed(0, 20);
    transactions.giveUp();
    transactions.begin();
    transactions.commit(() -> {});
    assertThat(counts.partitions().get(0).released()).hasValue(10);
  }

  @Test
  void shouldSayAtOnceThatAWindowWithoutReleasesIsOver() {
    meters.closed(0, 10);
    assertThat(counts.partitions().get(0).released()).hasValue(10);
  }

  /** One that is left to the interface's default would count nothing. */
  @Test
  void shouldPassOnEveryMeter() {
    assertThat(
            Arrays.stream(PipelineMeters.class.getMethods())
                .filter(Method::isDefault)
                .map(Method::getName))
        .allSatisfy(
            name ->
                assertThat(CommittedMeters.class.getDeclaredMethods())
                    .extracting(Method::getName)
                    .contains(name));
  }
}
