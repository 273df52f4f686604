// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;

/** A command that runs in a background thread of the test's process. */
public final class BackgroundCommand implements AutoCloseable {
  private final PrintedText printed = new PrintedText();
  private final CompletableFuture<CommandResult> result = new CompletableFuture<>();
  private final CommandLine command;
  private final Thread thread;

  private BackgroundCommand(String... arguments) {
    command = Main.commandLine(arguments);
    thread = new Thread(() -> execute(arguments), "sfumato " + arguments[0]);
    thread.setDaemon(true);
  }

  public static BackgroundCommand start(String... arguments) {
    BackgroundCommand started = new BackgroundCommand(arguments);
    started.thread.start();
    return started;
  }

  /**
   * Runs a pipeline file on a test cluster.
   *
   * @param secret file with the noise secret
   * @param data folder for local state
   */
  static BackgroundCommand run(TestCluster cluster, Path file, Path secret, Path data) {
    return start(
        "run",
        file.toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        secret.toString(),
        "--data",
        data.toString(),
        "--accept-risk",
        "--no-http",
        "--standbys",
        "0");
  }

  private void execute(String... arguments) {
    try {
      result.complete(CommandResult.execute(command, printed, arguments));
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  /** What it has printed so far, as a terminal shows it. */
  public String text() {
    return printed.both();
  }

  /** What it has printed to standard output so far. */
  String out() {
    return printed.out();
  }

  public boolean isAlive() {
    return !result.isDone();
  }

  /** Waits until its output contains a text. */
  public void awaitText(String expected) {
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !isAlive() || text().contains(expected));
    assertThat(text()).contains(expected);
  }

  /** Waits until it ends by itself. */
  CommandResult awaitEnd() throws InterruptedException {
    try {
      return result.get(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the command does not end properly: " + text(), e);
    }
  }

  /** Stops a {@code run} as a signal does, and any other command by an interrupt. */
  public CommandResult stop() throws InterruptedException {
    if (!isAlive()) {
      return awaitEnd();
    }
    command.getSubcommands().values().stream()
        .map(subcommand -> subcommand.getCommandSpec().userObject())
        .filter(RunCommand.class::isInstance)
        .findAny()
        .ifPresentOrElse(run -> stopInBackground((RunCommand) run), thread::interrupt);
    return awaitEnd();
  }

  /** A run that never stops fails the test, and does not hang the build. */
  private static void stopInBackground(RunCommand run) {
    Thread stopper = new Thread(run::stopAndWait, "stop");
    stopper.setDaemon(true);
    stopper.start();
  }

  @Override
  public void close() throws InterruptedException {
    stop();
  }
}
