// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.ImportedLedger;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.SealState;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.VersionHandover;
import io.sfumato.topology.version.WindowStarts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;

/** Takes in the changelogs of one application, in the order of each partition. */
public final class StateReader {
  private final Map<Integer, Map<Bytes, byte[]>> meta = new HashMap<>();

  /** A record of the meta store's changelog. */
  public void meta(int partition, byte[] key, byte[] value) {
    Map<Bytes, byte[]> store = meta.computeIfAbsent(partition, p -> new HashMap<>());
    if (value == null) {
      store.remove(Bytes.wrap(key));
    } else {
      store.put(Bytes.wrap(key), value);
    }
  }

  /**
   * Whether every one of {@code partitions} partitions has released what was closed, and is sealed.
   */
  public boolean isDrained(int partitions) {
    long drained =
        meta.values().stream()
            .filter(store -> SealState.of(store.get(MetaStore.SEAL)) == SealState.DRAINED)
            .count();
    return drained == partitions;
  }

  /** Whether an application has worked on this state. */
  public boolean hasRun() {
    return meta.values().stream().anyMatch(store -> store.containsKey(MetaStore.IDENTITY));
  }

  /** The epoch of each partition that has begun, hexadecimal, by its number. */
  public Map<Integer, String> epochs() {
    Map<Integer, String> epochs = new HashMap<>();
    meta.forEach(
        (partition, store) ->
            Optional.ofNullable(store.get(MetaStore.IDENTITY))
                .map(StateIdentity::decode)
                .ifPresent(found -> epochs.put(partition, found.epoch().toString())));
    return epochs;
  }

  /**
   * Where windows begin for a state that was begun before files said so: every window that starts
   * earlier is decided.
   *
   * @return nothing if some partition has seen neither a tick nor the place where a ledger was
   *     sealed
   */
  public OptionalLong undecidedFrom(int partitions) {
    List<OptionalLong> starts = meta.values().stream().map(DecidedWindows::undecidedFrom).toList();
    return starts.size() < partitions || starts.stream().anyMatch(OptionalLong::isEmpty)
        ? OptionalLong.empty()
        : starts.stream().mapToLong(OptionalLong::getAsLong).min();
  }

  /** Where the ledger that this state began with was sealed; nothing if none was imported. */
  public OptionalLong sealedAt() {
    return origins()
        .mapToLong(ImportedLedger::floor)
        .filter(floor -> new LedgerFloor(floor).isKnown())
        .max();
  }

  /** Digest of the file that was imported, if one was. */
  public Optional<String> imported() {
    return origin().map(ImportedLedger::digest);
  }

  /** The budget whose sealed ledger was imported, if one was. */
  public Optional<String> importedFrom() {
    return origin().map(ImportedLedger::budget);
  }

  private Optional<ImportedLedger> origin() {
    return origins().findFirst();
  }

  private Stream<ImportedLedger> origins() {
    return rows(MetaStore.IMPORTED)
        .filter(bytes -> ImportedLedger.begun(bytes).isEmpty())
        .map(ImportedLedger::decode);
  }

  private Stream<byte[]> rows(Bytes key) {
    return meta.values().stream().flatMap(store -> Optional.ofNullable(store.get(key)).stream());
  }

  /** Digest of the file whose import has begun and was not finished, if one was. */
  public Optional<String> halfImported() {
    return begun().map(ImportedLedger.Begun::digest);
  }

  /** The sealed budget whose import has begun and was not finished, if one was. */
  public Optional<String> halfImportedFrom() {
    return begun().map(ImportedLedger.Begun::budget);
  }

  private Optional<ImportedLedger.Begun> begun() {
    return rows(MetaStore.IMPORTED)
        .flatMap(bytes -> ImportedLedger.begun(bytes).stream())
        .findFirst();
  }

  /** What is wrong with a state whose import was cut short, and what to do; else nothing. */
  public Optional<String> cutShort() {
    return begun().map(begun -> begun.halfImported().getMessage());
  }

  /**
   * Refuses a state whose import was cut short.
   *
   * @throws PipelineStopException with what to do
   */
  public void requireWhole() {
    begun()
        .ifPresent(
            begun -> {
              throw begun.halfImported();
            });
  }

  /**
   * Refuses a file that the state contradicts: an older one, another one under the same version,
   * and a newer one as long as any partition is not ready for it: those that are would go on with
   * it, and then no program could run on all of them.
   *
   * @param sources the records' topics
   * @param noiseKey tag of the key that it draws with
   * @throws PipelineStopException with what to do
   */
  public void requireReadyFor(Plan plan, SourceTopics sources, String noiseKey) {
    StateIdentity.Maker maker = StateIdentity.Maker.of(plan, sources, noiseKey);
    int mine = maker.version();
    for (Map<Bytes, byte[]> store : meta.values()) {
      byte[] identity = store.get(MetaStore.IDENTITY);
      if (identity == null) {
        requireNobodyElse(plan.pipeline());
        continue;
      }
      StateIdentity found = StateIdentity.decode(identity);
      if (found.maker().version() > mine) {
        throw PipelineStopException.wentOnTo(found.maker().version(), mine);
      }
      if (found.maker().version() == mine) {
        found.requireSame(maker, plan);
        continue;
      }
      VersionHandover handover =
          Optional.ofNullable(store.get(MetaStore.TAKEOVER))
              .map(VersionHandover::decode)
              .orElseThrow(() -> VersionHandover.unannounced(found.maker().version(), mine));
      handover.requireReadyFor(maker, plan, found.maker().version());
      MetaStore.requireCut(store, plan.pipeline(), handover.from());
      if (meta.size() < sources.journalPartitions()) {
        requireNobodyElse(plan.pipeline());
      }
      // As every partition will do: those that did would go on, if one did not.
      found.takenOver(maker, plan, handover.from());
    }
  }

  /**
   * Refuses a version whose first window is not one and the same: behind users a window has one
   * version in all partitions, of users and of subjects.
   *
   * @param subjects of the subjects' partitions, where this is of the users'
   * @throws PipelineStopException with what to do
   */
  public void requireOneStart(int version, StateReader subjects) {
    boolean isDue =
        Stream.concat(rows(MetaStore.TAKEOVER), subjects.rows(MetaStore.TAKEOVER))
            .map(VersionHandover::decode)
            .anyMatch(next -> next.version() == version);
    long starts =
        Stream.concat(starts(version), subjects.starts(version)).distinct().limit(2).count();
    if (isDue && starts > 1) {
      throw new PipelineStopException(
          "version %d of the file cannot take over: partitions leave it different windows. Run the former file until all have read the last announcement, or announce this one again with 'sfumato activate FILE'"
              .formatted(version));
    }
  }

  /** Where partitions begin with a version, or will. */
  private Stream<Long> starts(int version) {
    return Stream.concat(
        identities().filter(found -> found.maker().version() == version).map(StateIdentity::since),
        rows(MetaStore.TAKEOVER)
            .map(VersionHandover::decode)
            .filter(next -> next.version() == version)
            .map(VersionHandover::from));
  }

  /**
   * Where a version can begin so that no partition has closed any of its windows: behind the last
   * window end that any source has passed, in any partition.
   *
   * @return milliseconds since 1970; nothing if none has passed any
   */
  public OptionalLong foremost() {
    return meta.values().stream().flatMapToLong(store -> MetaStore.foremost(store).stream()).max();
  }

  /**
   * The records' topics as a version of the file reads them: first those that the state knows, as
   * it knows them, and then new ones from the first window on that every partition leaves to this
   * version.
   *
   * @param present topics as the cluster describes them
   */
  public SourceTopics joined(SourceTopics present, int version) {
    Optional<StateIdentity> newest = newest();
    if (newest.isEmpty()) {
      return present;
    }
    SourceTopics known = newest.get().maker().sources();
    long from = from(version);
    List<SourceTopics.Topic> all = new ArrayList<>();
    for (SourceTopics.Topic topic : known.topics()) {
      present.topic(topic.name()).ifPresent(found -> all.add(found.joining(topic.since())));
    }
    present.topics().stream()
        .filter(topic -> known.topic(topic.name()).isEmpty())
        .forEach(topic -> all.add(topic.joining(from)));
    return new SourceTopics(all);
  }

  /** Names of topics that the state knows nothing of; none where there is no state. */
  public Set<String> joining(SourceTopics sources) {
    return newest()
        .map(found -> found.maker().sources())
        .map(
            known ->
                sources.names().stream()
                    .filter(name -> known.topic(name).isEmpty())
                    .collect(Collectors.toSet()))
        .orElse(Set.of());
  }

  /** Start of the first window that every partition leaves to a version that is announced. */
  private long from(int version) {
    return rows(MetaStore.TAKEOVER)
        .map(VersionHandover::decode)
        .filter(next -> next.version() == version)
        .mapToLong(VersionHandover::from)
        .max()
        .orElse(SourceTopics.Topic.FROM_THE_BEGINNING);
  }

  /** A partition that has not begun begins with the version that the others are at. */
  private void requireNobodyElse(Pipeline pipeline) {
    int mine = pipeline.version();
    OptionalInt other =
        identities().mapToInt(found -> found.maker().version()).filter(v -> v != mine).findFirst();
    if (other.isPresent()) {
      throw new PipelineStopException(
          ("version %d of the file cannot take over: not every partition has begun. Run the file of"
                  + " version %d until it has")
              .formatted(mine, other.getAsInt()));
    }
  }

  /**
   * Refuses to announce a version while another one is taking over: what has been taken over could
   * not go back, and the rest would wait for the version that is announced.
   *
   * @param subjects of the subjects' partitions, where this is of the users'; otherwise this one
   * @throws PipelineStopException if partitions are at different versions
   */
  public void requireOneVersion(StateReader subjects) {
    List<Integer> versions =
        Stream.concat(identities(), subjects.identities())
            .map(found -> found.maker().version())
            .distinct()
            .sorted()
            .toList();
    if (versions.size() > 1) {
      throw new PipelineStopException(
          "version %d is taking over from version %d; run it until all partitions are at it, then announce the next"
              .formatted(versions.get(versions.size() - 1), versions.get(0)));
    }
  }

  /** The oldest version that any partition is at, if any has begun. */
  public OptionalInt oldest() {
    return identities().mapToInt(found -> found.maker().version()).min();
  }

  /** The version that was announced to take over, if one was. */
  public Optional<PendingVersion> announced() {
    return rows(MetaStore.TAKEOVER)
        .map(VersionHandover::decode)
        .max(Comparator.comparingInt(VersionHandover::version))
        .map(next -> new PendingVersion(next.version(), next.from()));
  }

  /** Tag of the key that the announced version will draw with. */
  public Optional<String> announcedKey() {
    return rows(MetaStore.TAKEOVER)
        .map(VersionHandover::decode)
        .max(Comparator.comparingInt(VersionHandover::version))
        .map(VersionHandover::noiseKey);
  }

  /** The program that works on this state. */
  public Optional<RunningVersion> runningVersion() {
    return newest().map(RunningVersion::new);
  }

  private Optional<StateIdentity> newest() {
    return identities().max((a, b) -> Integer.compare(a.maker().version(), b.maker().version()));
  }

  private Stream<StateIdentity> identities() {
    return rows(MetaStore.IDENTITY).map(StateIdentity::decode);
  }

  /**
   * What goes with the ledgers.
   *
   * @return nothing if the application never began
   */
  public Optional<LedgerImage> image() {
    Optional<BudgetTerms> terms =
        newest().map(StateIdentity::terms).or(() -> origin().map(ImportedLedger::terms));
    Optional<String> starts =
        newest().flatMap(state -> WindowStarts.in(state.maker().layout())).map(WindowStarts::text);
    return terms.map(granted -> LedgerImage.of(granted, floor(), starts));
  }

  private long floor() {
    return meta.values().stream().mapToLong(DecidedWindows::floor).max().orElse(Long.MIN_VALUE);
  }
}
