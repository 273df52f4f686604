// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The end of processes that write into a test's folder. It is deleted as soon as the test is over,
 * and whatever is written meanwhile fails the test.
 */
public final class Processes {
  private Processes() {}

  /** Kills processes and what they have started, and returns when the last of them has ended. */
  public static void kill(Collection<Process> processes) {
    List<ProcessHandle> all = processes.stream().flatMap(Processes::family).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(all);
  }

  /**
   * From now on every write of a process fails that needs room, as on a full disk. What is started
   * in its place may write again.
   */
  static void letFilesGrowNoMore(Process process) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), "--fsize=1:")
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException("prlimit failed with " + code);
    }
  }

  /** A process that is alive and what it has started; of one that has ended nothing is known. */
  public static Stream<ProcessHandle> family(Process process) {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  /** Returns when the last of them has ended. */
  public static void awaitEnd(Collection<ProcessHandle> processes) {
    Awaitility.await()
        .pollDelay(Duration.ZERO) // most have ended
        .atMost(TestCluster.PATIENCE)
        .until(() -> processes.stream().noneMatch(Processes::mayWrite));
  }

  /** Not if it has ended, and only nobody has asked how: such a one has no program any more. */
  private static boolean mayWrite(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }
}
