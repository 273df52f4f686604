// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ops.GroupOperations.Next;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PipelineGroupTest {
  private static final Path GOOD = Path.of("folder", "good.yaml");
  private static final Path BAD = Path.of("folder", "bad.yml");
  private static final PipelineGroup.Delays NONE =
      new PipelineGroup.Delays(Duration.ZERO, Duration.ZERO);

  private final CountDownLatch stop = new CountDownLatch(1);
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Map<Path, ExitCode> ended = new ConcurrentHashMap<>();
  private final Queue<Next> nexts = new ConcurrentLinkedQueue<>();

  private int run(PipelineGroup.Runner runner) throws InterruptedException {
    return new PipelineGroup(
            runner,
            lines::add,
            (file, code, next) -> {
              ended.put(file, code);
              nexts.add(next);
            },
            NONE)
        .run(List.of(GOOD, BAD), stop);
  }

  /** The good one only ends because this test stops it, after the bad one has ended. */
  @Test
  void shouldLeaveTheOthersAloneWhenOneEnds() throws Exception {
    CountDownLatch badHasEnded = new CountDownLatch(1);
    int code =
        new PipelineGroup(
                (file, out) -> {
                  if (file.equals(BAD)) {
                    throw new RefusedException(ExitCode.STOPPED, "ledger gone");
                  }
                  badHasEnded.await();
                  out.accept("still running");
                  stop.countDown();
                },
                lines::add,
                (file, end, next) -> badHasEnded.countDown(),
                NONE)
            .run(List.of(GOOD, BAD), stop);
    assertThat(code).isEqualTo(ExitCode.STOPPED.number());
    assertThat(lines).containsExactly("[bad] ledger gone", "[good] still running");
  }

  @Test
  void shouldStartAgainWhatMayPassUntilItRuns() throws Exception {
    Map<Path, Integer> starts = new ConcurrentHashMap<>();
    int code =
        run(
            (file, out) -> {
              if (starts.merge(file, 1, Integer::sum) < 4 && file.equals(BAD)) {
                throw new RefusedException(ExitCode.REFUSED_CLUSTER, "no broker");
              }
            });
    assertThat(code).isZero();
    assertThat(starts).containsEntry(BAD, 4).containsEntry(GOOD, 1);
    assertThat(ended).containsOnly(Map.entry(BAD, ExitCode.REFUSED_CLUSTER));
    assertThat(nexts).containsOnly(Next.STARTED_AGAIN).hasSize(3);
    assertThat(lines).contains("[bad] no broker", "[bad] starting again in 0 s");
  }

  @Test
  void shouldNotStartAgainWhatAPersonHasToLookAt() throws Exception {
    Map<Path, Integer> starts = new ConcurrentHashMap<>();
    int code =
        run(
            (file, out) -> {
              starts.merge(file, 1, Integer::sum);
              throw new RefusedException(ExitCode.REFUSED_FILE, "no such field");
            });
    assertThat(code).isEqualTo(ExitCode.REFUSED_FILE.number());
    assertThat(starts).containsEntry(BAD, 1).containsEntry(GOOD, 1);
    assertThat(nexts).containsOnly(Next.NOTHING);
  }

  @Test
  void shouldEndWithTheHighestCodeOfAll() throws Exception {
    int code =
        run(
            (file, out) -> {
              throw new RefusedException(
                  file.equals(BAD) ? ExitCode.STOPPED : ExitCode.REFUSED_FILE, "no");
            });
    assertThat(code).isEqualTo(ExitCode.STOPPED.number());
    assertThat(ended)
        .containsEntry(GOOD, ExitCode.REFUSED_FILE)
        .containsEntry(BAD, ExitCode.STOPPED);
  }

  @Test
  void shouldNameEachByItsFileOrByItsPathIfOthersAreCalledAlike() {
    Path other = Path.of("elsewhere", "good.yml");
    assertThat(PipelineGroup.names(List.of(GOOD, BAD, other)))
        .containsOnly(
            Map.entry(GOOD, GOOD.toString()),
            Map.entry(BAD, "bad"),
            Map.entry(other, other.toString()));
  }

  @Test
  void shouldOutliveAFaultAndNotPrintItsWords() throws Exception {
    Map<Path, Integer> starts = new ConcurrentHashMap<>();
    int code =
        run(
            (file, out) -> {
              if (starts.merge(file, 1, Integer::sum) == 1) {
                throw new IllegalStateException("ann ordered 7");
              }
            });
    assertThat(code).isZero();
    assertThat(starts.values()).containsOnly(2);
    assertThat(String.join("\n", lines)).doesNotContain("ann");
  }

  @Test
  void shouldStopWhileOneWaitsToBeStartedAgain() throws Exception {
    Consumer<String> stopWhenItWaits =
        line -> {
          lines.add(line);
          if (line.contains("starting again")) {
            stop.countDown();
          }
        };
    int code =
        new PipelineGroup(
                (file, out) -> {
                  throw new RefusedException(ExitCode.FAILED, "later");
                },
                stopWhenItWaits,
                (file, end, next) -> {},
                new PipelineGroup.Delays(Duration.ofDays(1), Duration.ofDays(1)))
            .run(List.of(BAD), stop);
    assertThat(code).isZero();
    assertThat(lines).containsExactly("[bad] later", "[bad] starting again in 86400 s");
  }

  @Test
  void shouldWaitTwiceAsLongEachTimeUpToTheLongest() {
    PipelineGroup.Delays delays =
        new PipelineGroup.Delays(Duration.ofSeconds(10), Duration.ofSeconds(35));
    Duration second = delays.after(delays.first());
    assertThat(second).isEqualTo(Duration.ofSeconds(20));
    assertThat(delays.after(second)).isEqualTo(Duration.ofSeconds(35));
  }
}
