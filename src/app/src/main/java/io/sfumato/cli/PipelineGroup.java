// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.LogScope;
import io.sfumato.console.Terminal;
import io.sfumato.ops.GroupOperations.Next;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several pipelines in one process, each in a thread of its own: what ends one leaves the others
 * alone. Nobody outside can start a single one again, so one that failed for a reason that may pass
 * is started again here, after a while; one that a person has to look at is not.
 */
final class PipelineGroup {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineGroup.class);

  private final Runner runner;
  private final Consumer<String> out;
  private final Ended ended;
  private final Delays delays;

  /** Runs the pipeline of a file until it ends or the process stops. */
  interface Runner {
    /**
     * @param out takes its lines
     */
    void run(Path file, Consumer<String> out)
        throws PipelineFileException, RefusedException, InterruptedException;
  }

  /** Hears that a pipeline ended by itself. */
  interface Ended {
    void with(Path file, ExitCode code, Next next);
  }

  /**
   * How long to wait before a pipeline is started again: twice as long after each failure, and the
   * first time again after a run that lasted longer than the longest wait.
   *
   * @param first wait
   * @param longest wait
   */
  record Delays(Duration first, Duration longest) {
    static final Delays USUAL = new Delays(Duration.ofSeconds(10), Duration.ofMinutes(5));

    Duration after(Duration last) {
      Duration twice = last.multipliedBy(2);
      return twice.compareTo(longest) < 0 ? twice : longest;
    }
  }

  /**
   * @param out takes lines of all pipelines
   * @param ended hears how pipelines end by themselves
   */
  PipelineGroup(Runner runner, Consumer<String> out, Ended ended, Delays delays) {
    this.runner = runner;
    this.out = out;
    this.ended = ended;
    this.delays = delays;
  }

  /**
   * Runs them until all have ended, or the process is to stop.
   *
   * @return the gravest exit code, which is the highest one, of pipelines that ended by themselves
   *     for a reason that a person has to look at; 0 if there is none
   */
  int run(List<Path> files, CountDownLatch stop) throws InterruptedException {
    Map<Path, ExitCode> codes = new ConcurrentHashMap<>();
    Map<Path, String> names = names(files);
    List<Thread> threads = new ArrayList<>();
    for (Path file : files) {
      String name = names.get(file);
      Thread thread =
          new Thread(() -> codes.put(file, runToItsEnd(file, name, stop)), "pipeline " + name);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return files.stream()
        .map(file -> codes.getOrDefault(file, ExitCode.FAILED))
        .mapToInt(ExitCode::number)
        .max()
        .orElse(ExitCode.OK.number());
  }

  private ExitCode runToItsEnd(Path file, String name, CountDownLatch stop) {
    LogScope.enter(name);
    // Objects have a field for it.
    String prefix = Terminal.logsLines() ? "" : "[" + name + "] ";
    Consumer<String> mine = line -> out.accept(prefix + line);
    Duration delay = delays.first();
    try {
      while (stop.getCount() > 0) {
        long began = System.nanoTime();
        ExitCode code = runOnce(file, mine);
        if (code == ExitCode.OK) {
          return code;
        }
        ended.with(file, code, mayPass(code) ? Next.STARTED_AGAIN : Next.NOTHING);
        if (!mayPass(code)) {
          return code;
        }
        if (System.nanoTime() - began > delays.longest().toNanos()) {
          delay = delays.first();
        }
        mine.accept("starting again in %d s".formatted(delay.toSeconds()));
        stop.await(delay.toMillis(), TimeUnit.MILLISECONDS);
        delay = delays.after(delay);
      }
      return ExitCode.OK;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    }
  }

  private ExitCode runOnce(Path file, Consumer<String> mine) throws InterruptedException {
    try {
      runner.run(file, mine);
      return ExitCode.OK;
    } catch (PipelineFileException e) {
      mine.accept(e.getMessage());
      return ExitCode.REFUSED_FILE;
    } catch (RefusedException e) {
      mine.accept(e.getMessage());
      return e.code();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // A fault of the program, in one pipeline. Messages of foreign exceptions may quote records.
      LOG.error("the pipeline failed: {}", e.getClass().getName());
      LOG.debug("details", e);
      return ExitCode.FAILED;
    }
  }

  /** As the codes say to a supervisor. */
  private static boolean mayPass(ExitCode code) {
    return code == ExitCode.FAILED || code == ExitCode.REFUSED_CLUSTER;
  }

  /**
   * How lines name each: by the file's name without its ending, or by its path if others share it.
   */
  static Map<Path, String> names(List<Path> files) {
    Map<String, Long> times =
        files.stream().collect(Collectors.groupingBy(PipelineGroup::stem, Collectors.counting()));
    return files.stream()
        .collect(
            Collectors.toMap(
                file -> file, file -> times.get(stem(file)) > 1 ? file.toString() : stem(file)));
  }

  private static String stem(Path file) {
    return file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
  }
}
