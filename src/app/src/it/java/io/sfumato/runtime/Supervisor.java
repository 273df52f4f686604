// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Keeps instances of a pipeline running in processes of their own, which a test kills. */
public final class Supervisor implements AutoCloseable {
  private final Start start;
  private final TimedLines lines;
  private final List<Process> processes = new ArrayList<>();

  /** Instances that ended without being killed. */
  private int ended;

  /** Starts the process of an instance. */
  public interface Start {
    /**
     * @param instance counted from 0
     */
    Process process(int instance) throws IOException;
  }

  /**
   * @param lines take what happens
   */
  public Supervisor(Start start, TimedLines lines) {
    this.start = start;
    this.lines = lines;
  }

  /** Starts so many instances. */
  public void start(int instances) throws IOException {
    for (int instance = 0; instance < instances; instance++) {
      processes.add(start.process(instance));
    }
  }

  public Process process(int instance) {
    return processes.get(instance);
  }

  /** Kills an instance (SIGKILL), and starts it again. */
  public void kill(int instance) throws IOException, InterruptedException {
    processes.get(instance).destroyForcibly().waitFor();
    lines.say("killed instance " + instance);
    processes.set(instance, start.process(instance));
  }

  /** Starts instances again that have ended by themselves. */
  public void restartEnded() throws IOException {
    for (int instance = 0; instance < processes.size(); instance++) {
      if (!processes.get(instance).isAlive()) {
        lines.say("instance " + instance + " had ended by itself");
        ended++;
        processes.set(instance, start.process(instance));
      }
    }
  }

  /** How many instances ended without being killed. */
  public int ended() {
    return ended;
  }

  @Override
  public void close() {
    for (Process process : processes) {
      process.destroyForcibly().onExit().join();
    }
  }
}
