// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.EventPublisher;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.RocksLibrary;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Seals a budget's ledger and writes it to a file. From then on the application that owned it
 * releases nothing, and refuses to start: what it owed goes on wherever the file is imported.
 *
 * <ol>
 *   <li>A command in the control topic makes every partition release what is closed, and take in
 *       nothing more.
 *   <li>Once the changelog shows that all have done so, the registry remembers the seal and the
 *       instances are told to stop.
 *   <li>The group's offsets are deleted, which the cluster allows only without members: an instance
 *       that starts in between finds no offsets, and stops.
 *   <li>The changelogs are read to their ends, with no transaction open, and sorted on disk:
 *       ledgers of periods that are over stay behind, and memory does not grow with the others.
 * </ol>
 */
public final class LedgerExport {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final NoiseKey key;
  private final Consumer<String> out;
  private final ProgressListener stages;
  private final Optional<Successor> successor;

  /**
   * The pipeline that will go on with the ledger, and alone may import it.
   *
   * @param plan of it
   * @param settings of the cluster that it will run on
   */
  public record Successor(Plan plan, KafkaSettings settings) {}

  /**
   * @param key that the budget draws with: it signs the seal
   * @param out is told how it goes
   */
  public LedgerExport(
      Pipeline pipeline, KafkaSettings settings, NoiseKey key, Consumer<String> out) {
    this(pipeline, settings, key, out, ProgressListener.silent(), Optional.empty());
  }

  /**
   * @param key that the budget draws with: it signs the seal
   * @param out is told how it goes
   * @param stages hear how far it is
   * @param successor that is checked before anything is sealed; without one nothing of that is
   */
  public LedgerExport(
      Pipeline pipeline,
      KafkaSettings settings,
      NoiseKey key,
      Consumer<String> out,
      ProgressListener stages,
      Optional<Successor> successor) {
    this.key = key;
    this.pipeline = pipeline;
    this.settings = settings;
    this.out = out;
    this.stages = stages;
    this.successor = successor;
  }

  /** What to do with windows that are closed and not released. */
  public enum Unreleased {
    /** The running pipeline releases them first. */
    RELEASE,
    /** There is no running pipeline: nobody will. */
    ABANDON
  }

  /**
   * Exports.
   *
   * @param timeout of each step
   * @throws RefusedException if there is no ledger, the pipeline does not stop in time, or the file
   *     cannot be written
   */
  public LedgerFile export(Path file, Unreleased unreleased, Duration timeout)
      throws RefusedException {
    refuseExisting(file);
    RocksLibrary.require();
    // Nothing is sealed for a file that cannot be written.
    try (Workspace workspace = Workspace.beside(file)) {
      return export(file, workspace, unreleased, timeout);
    }
  }

  /**
   * Checks what an export checks, and seals nothing.
   *
   * @param file that the export would write, if it is known
   * @return no window that starts before it would be released again, as things are now:
   *     milliseconds since 1970; nothing if no window has closed
   * @throws RefusedException if the export, or the successor's import or first start after it,
   *     would be refused
   */
  public OptionalLong check(Optional<Path> file, Unreleased unreleased) throws RefusedException {
    if (file.isPresent()) {
      refuseExisting(file.get());
    }
    try (Cluster cluster = new Cluster(settings)) {
      return checks().require(cluster, unreleased).closedBefore();
    }
  }

  private SealChecks checks() {
    return new SealChecks(pipeline, settings, key, successor);
  }

  private LedgerFile export(Path file, Workspace workspace, Unreleased unreleased, Duration timeout)
      throws RefusedException {
    StateTopics state = new StateTopics(pipeline);
    try (Cluster cluster = new Cluster(settings)) {
      SealChecks checks = checks();
      checks.require(cluster, unreleased);
      Registry registry = checks.registry();
      checks.announce();
      if (registry.read().mine().sealed().isEmpty()) {
        seal();
        if (unreleased == Unreleased.RELEASE) {
          out.accept("sealing: waiting until the pipeline has released all closed windows ...");
          awaitDrained(state, cluster.topics().partitions(state.meta()), timeout);
        }
      }
      registry.seal(Instant.now().toString(), checks.heir());
      seal();
      out.accept("waiting for the pipeline's instances to stop ...");
      cluster.groups().retire(pipeline.applicationId(), timeout);
      cluster.offsets().awaitSettled(state.all(), timeout);
      return write(file, workspace, checks.facts(checks.image(state)), state);
    }
  }

  /** Ledgers come in the order of changelogs: they are sorted beside the file, on its disk. */
  private LedgerFile write(Path file, Workspace workspace, LedgerFacts facts, StateTopics state)
      throws RefusedException {
    LongPredicate live = facts.image().livePeriods();
    try (SortedLedgers ledgers = new SortedLedgers(workspace.resolve("sorted"))) {
      state.readLedgers(
          settings,
          stages,
          (partition, key, value) -> {
            if (live.test(LedgerImage.periodOf(key))) {
              ledgers.put(key, value);
            }
          });
      out.accept("writing " + file + " ...");
      LedgerFile made = LedgerFile.write(workspace.resolve("ledger"), facts, ledgers);
      try {
        Files.move(made.path(), file);
      } catch (FileAlreadyExistsException e) {
        throw existing(file);
      } catch (IOException e) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE, "cannot write " + file + ": " + e.getClass().getSimpleName());
      }
      return made.movedTo(file);
    }
  }

  private static RefusedException existing(Path file) {
    return new RefusedException(
        ExitCode.REFUSED_FILE, file + " exists; a ledger is never overwritten");
  }

  private static void refuseExisting(Path file) throws RefusedException {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.exists(file)) {
      throw existing(file);
    }
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new RefusedException(ExitCode.REFUSED_FILE, folder + " is not a writable folder");
    }
  }

  private void seal() throws RefusedException {
    try (EventPublisher publisher = new EventPublisher(settings)) {
      ControlEntry entry =
          ControlEntry.newBuilder()
              .setCommand(ControlCommand.SEAL)
              .setBudget(pipeline.budget().name())
              .build();
      publisher.event(pipeline.controlTopic(), pipeline.budget().name(), Outputs.encode(entry));
      publisher.flush();
    }
  }

  private void awaitDrained(StateTopics state, int partitions, Duration timeout)
      throws RefusedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!state.isDrained(settings, partitions)) {
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED,
            ("the pipeline of budget '%s' did not release all closed windows within %d s. It "
                    + "accepts no more records. Skip failing releases (sfumato skip), start the "
                    + "pipeline if it has ended, and export again; or abandon the closed windows "
                    + "with --stopped")
                .formatted(pipeline.budget().name(), timeout.toSeconds()));
      }
      Cluster.pause(POLL);
    }
  }
}
