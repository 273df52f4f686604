// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.EventPublisher;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
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
  private final Stages stages;

  /**
   * @param key that the budget draws with: it signs the seal
   * @param out is told how it goes
   */
  public LedgerExport(
      Pipeline pipeline, KafkaSettings settings, NoiseKey key, Consumer<String> out) {
    this(pipeline, settings, key, out, Stages.silent());
  }

  /**
   * @param key that the budget draws with: it signs the seal
   * @param out is told how it goes
   * @param stages hear how far it is
   */
  public LedgerExport(
      Pipeline pipeline,
      KafkaSettings settings,
      NoiseKey key,
      Consumer<String> out,
      Stages stages) {
    this.key = key;
    this.pipeline = pipeline;
    this.settings = settings;
    this.out = out;
    this.stages = stages;
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
    SortedLedgers.requireLibrary();
    // Nothing is sealed for a file that cannot be written.
    try (Workspace workspace = Workspace.beside(file)) {
      return export(file, workspace, unreleased, timeout);
    }
  }

  private LedgerFile export(Path file, Workspace workspace, Unreleased unreleased, Duration timeout)
      throws RefusedException {
    StateTopics state = new StateTopics(pipeline);
    String budget = pipeline.budget().name();
    try (Cluster cluster = new Cluster(settings)) {
      if (!state.exist(cluster)) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "budget '%s' has no ledger at %s: its pipeline never ran there"
                .formatted(budget, settings.bootstrapServers()));
      }
      // Half an imported ledger is finished first: sealed, it could not be.
      StateTopics.require(state.readMeta(settings)::requireWhole);
      Adoption adoption = new Adoption(pipeline, settings, cluster, key);
      adoption.adopt();
      adoption.requireAdopted();
      Registry registry = new Registry(settings, budget, Optional.of(key));
      registry.requireNotFollowed();
      int partitions = cluster.topics().partitions(state.meta());
      if (registry.read().mine().sealed().isEmpty()) {
        if (unreleased == Unreleased.RELEASE
            && !state.isDrained(settings, partitions)
            && !cluster.groups().hasMembers(pipeline.applicationId())) {
          throw new RefusedException(
              ExitCode.REFUSED_CLUSTER,
              "the pipeline of budget '%s' does not run, and nobody would release what is closed: start it with the file that it ran with; or, where it cannot run again, abandon what is closed with --stopped"
                  .formatted(budget));
        }
        seal();
        if (unreleased == Unreleased.RELEASE) {
          out.accept("sealing: the pipeline releases what is closed ...");
          awaitDrained(state, partitions, timeout);
        }
        registry.seal(Instant.now().toString());
      }
      seal();
      out.accept("waiting for the pipeline's instances to stop ...");
      cluster.groups().retire(pipeline.applicationId(), timeout);
      cluster.offsets().awaitSettled(state.all(), timeout);
      LedgerImage image =
          state
              .readMeta(settings)
              .image()
              .orElseThrow(
                  () ->
                      new RefusedException(
                          ExitCode.REFUSED_CLUSTER,
                          "the pipeline of budget '" + budget + "' never read a record"));
      return write(file, workspace, image, state);
    }
  }

  /** Ledgers come in the order of changelogs: they are sorted beside the file, on its disk. */
  private LedgerFile write(Path file, Workspace workspace, LedgerImage image, StateTopics state)
      throws RefusedException {
    String budget = pipeline.budget().name();
    LongPredicate live = image.livePeriods();
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
      LedgerFile made = LedgerFile.write(workspace.resolve("ledger"), budget, image, ledgers);
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
      throw new RefusedException(
          ExitCode.REFUSED_FILE, folder + " is no folder that this program may write to");
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
            ("the pipeline of budget '%s' has not released all that is closed within %d s. It takes in"
                    + " nothing more: skip what fails, start it if it ended, and export again; or abandon"
                    + " what is closed with --stopped")
                .formatted(pipeline.budget().name(), timeout.toSeconds()));
      }
      Cluster.pause(POLL);
    }
  }
}
