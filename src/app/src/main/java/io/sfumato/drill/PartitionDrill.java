// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.InstancePlace;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.PartitionCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** Restores all stores of one partition up to one moment, and compares each. */
final class PartitionDrill {
  private final ChangelogRestorer restorer;
  private final List<InstancePlace.Known> places;
  private final Path folder;
  private final LongConsumer progress;

  /**
   * @param places where instances have state on this machine
   * @param folder that is there, for what is restored
   * @param progress hears how many offsets of a changelog were read
   */
  PartitionDrill(
      ChangelogRestorer restorer,
      List<InstancePlace.Known> places,
      Path folder,
      LongConsumer progress) {
    this.restorer = restorer;
    this.places = places;
    this.folder = folder;
    this.progress = progress;
  }

  /** A store and the partition of its changelog. */
  record Place(String store, TopicPartition changelog) {}

  /**
   * Restores and compares.
   *
   * @param stores ledgers and their keeper's facts first: they are compared with each other, and
   *     entries of the cut are the likelier there the sooner they are read
   * @param ledgers of the partition, still empty
   */
  PartitionReport run(
      List<Place> stores,
      ConsistentCut cut,
      LedgerComparison ledgers,
      Optional<PartitionCount> counted)
      throws RefusedException {
    int partition = stores.get(0).changelog().partition();
    List<StoreReport> reports = new ArrayList<>();
    for (Place place : stores) {
      reports.add(restore(place, cut.ends().get(place.changelog()), ledgers));
    }
    return new PartitionReport(
        partition, cut.isOfOneMoment(), reports, ledgers.outcome(cut.isOfOneMoment(), counted));
  }

  /** Deletes what was restored. */
  void discard(List<Place> stores) {
    stores.forEach(place -> TemporaryFolder.delete(folderOf(place)));
  }

  private StoreReport restore(Place place, long cut, LedgerComparison totals)
      throws RefusedException {
    List<Local> locals = locals(place, cut);
    try (Resources opened = new Resources();
        RestoredStore store = new RestoredStore(fresh(place, "restored"))) {
      locals.forEach(local -> opened.open(local.store()));
      long compared = locals.stream().mapToLong(Local::next).min().orElse(cut);
      ChangelogRestorer.Restored restored =
          restorer.restore(
              new ChangelogRestorer.Range(place.changelog(), cut, compared), store, progress);
      add(place, store, restored, totals);
      List<StoreReport.Compared> comparisons = new ArrayList<>();
      for (Local local : locals) {
        comparisons.add(compare(store, local));
      }
      if (locals.isEmpty()) {
        comparisons.add(compareWithSecond(place, cut, store));
      }
      return new StoreReport(
          place.store(),
          place.changelog().partition(),
          restored.entries(),
          restored.bytes(),
          comparisons);
    }
  }

  private static void add(
      Place place,
      RestoredStore store,
      ChangelogRestorer.Restored restored,
      LedgerComparison totals)
      throws RefusedException {
    boolean areLedgers = place.store().equals(LedgerImage.LEDGERS);
    if (!areLedgers && !place.store().equals(LedgerImage.META)) {
      return;
    }
    if (restored.movedAfterCut() > 0) {
      totals.moved();
    }
    try (SortedRows rows = store.rows()) {
      if (areLedgers) {
        totals.ledgers(rows);
      } else {
        totals.facts(rows);
      }
    }
  }

  private static StoreReport.Compared compare(RestoredStore store, Local local)
      throws RefusedException {
    try (SortedRows restored = store.rows();
        SortedRows other = local.store().rows()) {
      return new StoreReport.Compared(
          Optional.of(local.folder()),
          StateComparison.of(restored, other, store::isMoved, local.deletions()));
    }
  }

  /** A folder that goes when it was compared. */
  private record Deleted(Path folder) implements AutoCloseable {
    @Override
    public void close() {
      TemporaryFolder.delete(folder);
    }
  }

  private StoreReport.Compared compareWithSecond(Place place, long cut, RestoredStore store)
      throws RefusedException {
    Path folder = fresh(place, "again");
    try (Deleted deleted = new Deleted(folder);
        RestoredStore again = new RestoredStore(deleted.folder())) {
      restorer.restore(
          new ChangelogRestorer.Range(place.changelog(), cut, cut), again, ignored -> {});
      try (SortedRows first = store.rows();
          SortedRows second = again.rows()) {
        return new StoreReport.Compared(
            Optional.empty(),
            StateComparison.of(
                first,
                second,
                key -> store.isMoved(key) || again.isMoved(key),
                StateComparison.Deletions.ALL_THERE));
      }
    }
  }

  private Path folderOf(Place place) {
    return folder.resolve(place.store() + "-" + place.changelog().partition());
  }

  private Path fresh(Place place, String copy) throws RefusedException {
    try {
      return Files.createDirectories(folderOf(place).resolve(copy));
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "cannot write into folder %s (%s): make it writable, or give another one with --into DIR"
              .formatted(folder, e.getClass().getSimpleName()));
    }
  }

  /**
   * A copy that an instance would go on with.
   *
   * @param next the offset after the last entry that it holds
   */
  private record Local(
      Path folder, LocalStore store, long next, StateComparison.Deletions deletions) {}

  /** Copies on this machine, but for those that Kafka Streams would wipe at the next start. */
  private List<Local> locals(Place place, long cut) throws RefusedException {
    List<Local> locals = new ArrayList<>();
    for (InstancePlace.Known instance : places) {
      for (Path found : folders(instance.folder(), place)) {
        LocalStore store = LocalStore.open(found, folder);
        OptionalLong offset = store.offset(place.changelog());
        if (offset.isEmpty() || store.isOpen() && !instance.isRunning()) {
          store.close();
        } else {
          long next = offset.getAsLong() + 1;
          locals.add(new Local(found, store, next, deletions(store, next, cut)));
        }
      }
    }
    return locals;
  }

  /**
   * Whether compaction may have removed a deletion that the copy has not seen. Not where nothing
   * was written since but the mark of the last transaction. Otherwise the time counts: half of the
   * shortest one that changelogs may keep deletions, as everywhere.
   */
  private static StateComparison.Deletions deletions(LocalStore store, long next, long cut)
      throws RefusedException {
    if (cut <= next + 1) {
      return StateComparison.Deletions.ALL_THERE;
    }
    long since = System.currentTimeMillis() - LocalState.LEAST_DELETIONS_KEPT.toMillis() / 2;
    OptionalLong time = store.time();
    return time.isPresent() && time.getAsLong() >= since
        ? StateComparison.Deletions.ALL_THERE
        : StateComparison.Deletions.MAYBE_GONE;
  }

  /** Kafka Streams names a task's folder by its sub-topology and partition, such as 1_0. */
  private static List<Path> folders(Path state, Place place) throws RefusedException {
    String partition = "_" + place.changelog().partition();
    try (Stream<Path> tasks = Files.list(state)) {
      return tasks
          .filter(task -> task.getFileName().toString().endsWith(partition))
          .map(task -> task.resolve("rocksdb").resolve(place.store()))
          .filter(store -> Files.exists(store.resolve("CURRENT")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot read the local state in %s (%s): run the drill as the account of the pipeline"
              .formatted(state, e.getClass().getSimpleName()));
    }
  }
}
