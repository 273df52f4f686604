// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.FolderLock;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Option;

/** The broker that a run starts in its own process, if it is to, and the folder of its log. */
final class EmbeddedOptions {
  @Option(
      names = "--embedded",
      description =
          "Start a broker in this process: for trying out, with one replica of everything.")
  boolean embedded;

  @Option(
      names = "--broker-port",
      paramLabel = "PORT",
      description = "Port of the embedded broker; by default 9092.")
  private int brokerPort = 9092;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for local state (and the embedded broker's log); by default .sfumato.")
  Path data = EmbeddedFolder.DEFAULT;

  /** What needs the broker. */
  interface Work {
    int run() throws RefusedException, InterruptedException;
  }

  EmbeddedFolder folder() {
    return new EmbeddedFolder(data);
  }

  /** Where the broker will listen. */
  String server() {
    return "127.0.0.1:" + brokerPort;
  }

  /**
   * Holds the folder, before anything is written: a second broker on the same log would break both.
   *
   * @param file of the pipeline that is to run
   * @throws RefusedException if a broker runs there, or the port is none
   */
  FolderLock lock(Path file) throws RefusedException {
    if (brokerPort < 1 || brokerPort > 65535) {
      throw new RefusedException(
          ExitCode.USAGE, "--broker-port: found " + brokerPort + ", allowed is 1 to 65535");
    }
    return folder()
        .tryLock()
        .orElseThrow(
            () ->
                new RefusedException(
                    ExitCode.REFUSED_FILE,
                    "an embedded broker already runs in folder %s%s: leave out --embedded to use it ('sfumato run %s%s')"
                        .formatted(
                            data,
                            folder().server().map(server -> ", at " + server).orElse(""),
                            file,
                            data.equals(EmbeddedFolder.DEFAULT) ? "" : " --data " + data)));
  }

  /**
   * Works with the broker up, and announced to those who join.
   *
   * @param held the folder's lock
   * @param stop what ends a broker that stays up after the work was stopped
   */
  int withBroker(FolderLock held, CountDownLatch stop, Work work)
      throws RefusedException, InterruptedException {
    System.out.println("starting a Kafka broker in this process ...");
    try (EmbeddedBroker broker = start()) {
      System.out.println("broker up at " + broker.bootstrapServers() + ", log in " + data);
      announce(broker.bootstrapServers());
      try {
        return work.run();
      } catch (RefusedException e) {
        if (e.code() == ExitCode.STOPPED) {
          System.out.println(e.getMessage());
          System.out.println(
              "the broker keeps running, so that you can repair the pipeline; "
                  + "stop it with Ctrl-C");
          stop.await();
        }
        throw e;
      } finally {
        folder().withdraw();
      }
    }
  }

  private EmbeddedBroker start() throws RefusedException {
    try {
      return EmbeddedBroker.start(folder().broker().toAbsolutePath(), brokerPort);
    } catch (IllegalStateException e) {
      throw new RefusedException(ExitCode.REFUSED_CLUSTER, e.getMessage());
    }
  }

  private void announce(String server) throws RefusedException {
    try {
      folder().announce(server);
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot write into folder %s: make it writable, or give another folder with --data DIR"
              .formatted(data));
    }
  }
}
