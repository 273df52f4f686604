// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ops.DroppedRecords;
import io.sfumato.ops.EmptySelection;
import io.sfumato.ops.RefusedTicks;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.TickAge;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.RejectionCode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.kafka.streams.KafkaStreams;

/**
 * What whoever started a pipeline sees of it.
 *
 * @param counts of this process
 * @param sealedAt where the ledger was sealed that the budget began with, if one was imported
 * @param out takes the lines
 */
record RunWatch(
    Pipeline pipeline,
    PipelineRun run,
    RunningCounts counts,
    OptionalLong sealedAt,
    Consumer<String> out) {
  /**
   * Prints what is new once a second, until it is told to stop.
   *
   * @throws RefusedException if the run ends by itself
   */
  void until(CountDownLatch stop) throws InterruptedException, RefusedException {
    DroppedRecords dropped = new DroppedRecords(pipeline, sealedAt);
    RefusedTicks ticks = new RefusedTicks(pipeline);
    TickAge age = new TickAge(pipeline, counts, () -> Optional.of(run));
    boolean starving = false;
    boolean isEmptyTold = false;
    String shown = "";
    boolean announced = false;
    while (stop.getCount() > 0 && !run.awaitEnd(Duration.ofSeconds(1))) {
      if (!announced && run.state() == KafkaStreams.State.RUNNING) {
        announced = true;
        out.accept(
            "pipeline %s is running: %s -> %s"
                .formatted(
                    pipeline.name(),
                    pipeline.input().topics().words(),
                    String.join(", ", pipeline.outputs().stream().map(r -> r.topic()).toList())));
      }
      String line = counts.line();
      if (announced && !line.equals(shown)) {
        out.accept(line);
        shown = line;
      }
      Map<RejectionCode, Long> refused = counts.refusedTicks();
      dropped
          .news(
              System.nanoTime(),
              counts.acceptedRecords(),
              RefusedTicks.without(counts.rejections(), refused))
          .ifPresent(out);
      ticks.news(refused).ifPresent(out);
      if (!isEmptyTold) {
        Optional<String> warning = EmptySelection.words(counts);
        warning.ifPresent(out);
        isEmptyTold = warning.isPresent();
      }
      Optional<String> lack = age.words();
      if (lack.isPresent() != starving) {
        starving = lack.isPresent();
        out.accept(lack.map("WARNING: %s"::formatted).orElse("ticks are arriving again"));
      }
    }
    if (run.failure().isPresent()) {
      throw run.failure().get();
    }
    out.accept("stopping ...");
  }
}
