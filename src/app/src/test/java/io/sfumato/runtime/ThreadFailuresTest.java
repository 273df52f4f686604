// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plans;
import io.sfumato.topology.context.HeldReleases;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadFailuresTest {
  private final AtomicInteger looks = new AtomicInteger();

  /** Of a cluster whose name does not resolve; the instance is stopped after three looks. */
  private ThreadFailures withoutCluster() throws Exception {
    Pipeline pipeline = Plans.example("diary.yaml").pipeline();
    KafkaSettings settings =
        KafkaSettings.gather(
            Map.of(), Optional.empty(), Map.of(), Optional.of("gone.invalid:9092"));
    return new ThreadFailures(
        pipeline, settings, new HeldReleases(), () -> false, () -> looks.incrementAndGet() > 3);
  }

  /** What the handler of a thread throws would end the thread, and nobody would replace it. */
  @Test
  void shouldWaitForAClusterWhoseNameDoesNotResolve() throws Exception {
    Throwable silent = new StreamsException("at", new TimeoutException("no answer"));
    assertThat(withoutCluster().mayGoOn(silent)).as("it was stopped meanwhile").isFalse();
    assertThat(looks).hasValueGreaterThan(3);
  }

  @Test
  void shouldAskAgainWhetherOffsetsAreInOrderWhileTheNameDoesNotResolve() throws Exception {
    Throwable lost = new StreamsException("at", new InvalidTxnStateException("aborted"));
    assertThat(withoutCluster().mayGoOn(lost)).as("it was stopped meanwhile").isFalse();
    assertThat(looks).hasValueGreaterThan(3);
  }
}
