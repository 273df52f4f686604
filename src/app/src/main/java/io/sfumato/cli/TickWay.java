// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.ticker.LastTicks;
import io.sfumato.ticker.TickSteps;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The ticks that lead to a time. A tick that jumps over more than {@code window.max-jump} windows
 * stops a pipeline where every window costs.
 *
 * @param pipeline as it goes on with an imported ledger
 * @param orders what operators said about the topics
 */
record TickWay(Pipeline pipeline, OperatorOrders orders, KafkaSettings settings) {
  /**
   * One tick, or several where the topic's past is read.
   *
   * @param time milliseconds since 1970
   * @throws RefusedException if one tick would jump too far
   */
  List<Long> to(long time, Optional<TickSigner> signer) throws RefusedException {
    WindowSpec window = pipeline.window();
    if (window.clock() != WindowSpec.Clock.TICKS
        || window.begin().isEmpty()
        || !pipeline.subjects().isFixed()
        || !new TickSteps(window).isTooFar(window.begin().getAsLong(), time)) {
      return List.of(time);
    }
    LastTicks.Found last;
    try {
      TickVerifier judge = new TickVerifier(window, signer.map(TickSigner::key));
      last = new LastTicks(settings, sources(), judge, orders).all();
    } catch (RefusedException e) {
      System.err.println("note: cannot read how far the pipeline's clocks are: " + e.getMessage());
      return List.of(time);
    }
    return to(time, last, signer.flatMap(TickSigner::noiseKey).isPresent());
  }

  private SourceTopics sources() throws RefusedException {
    try (Cluster admin = new Cluster(settings)) {
      return admin.topics().sources(pipeline);
    }
  }

  /**
   * The same, from known clocks.
   *
   * @param knowsOrders whether orders could be read
   */
  List<Long> to(long time, LastTicks.Found found, boolean knowsOrders) throws RefusedException {
    TickSteps steps = new TickSteps(pipeline.window());
    long begin = pipeline.window().begin().orElseThrow();
    OptionalLong known =
        found.last().stream().mapToLong(tick -> steps.from(tick).orElseThrow()).min();
    long earliest = known.orElse(begin);
    if (orders.isCaughtUp()) {
      // Ticks at or before a clock do no harm.
      return steps.all(found.isComplete() ? earliest : begin, time);
    }
    if (known.isPresent() && steps.isTooFar(earliest, time)) {
      throw tooFar(earliest, steps.next(earliest, time), knowsOrders);
    }
    return List.of(time);
  }

  private RefusedException tooFar(long from, long next, boolean knowsOrders) {
    return new RefusedException(
        ExitCode.USAGE,
        "this tick would jump from %s over more than window.max-jump (%d) windows and stop the pipeline. To close all of them, tick in steps: --at %s first. To count the topic's past, start the pipeline with --catch-up%s; nothing was sent"
            .formatted(
                Instant.ofEpochMilli(from),
                pipeline.window().maxJump(),
                Instant.ofEpochMilli(next),
                knowsOrders ? "" : ", and tick with the noise secret (--secret-file)"));
  }
}
