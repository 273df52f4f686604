// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;

/** Stops a process as the operating system does, with all its threads, and lets it go on. */
final class Signals {
  private Signals() {}

  static void stop(Process process) throws IOException, InterruptedException {
    send("-STOP", process);
  }

  static void resume(Process process) throws IOException, InterruptedException {
    send("-CONT", process);
  }

  private static void send(String signal, Process process)
      throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", signal, Long.toString(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException("kill " + signal + " failed with " + code);
    }
  }
}
