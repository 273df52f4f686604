// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.PendingVersion;
import io.sfumato.topology.RunningVersion;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** What must hold between a file and the ledger it works on, before anything starts. */
public final class Continuity {
  /** By then an instance that was started is a member of its group, or has failed. */
  private static final Duration JOINING = Duration.ofMinutes(1);

  private Continuity() {}

  /**
   * What may run.
   *
   * @param plan that may run
   * @param state of the budget as it was found; an empty one if there was none
   * @param sources the records' topics, as the state knows them
   */
  public record Ready(Plan plan, StateReader state, SourceTopics sources) {
    /** Topics that the version is the first to read; none for a first version. */
    public Set<String> joining() {
      return state.joining(sources);
    }
  }

  /**
   * Refuses a budget whose ledger is sealed and a version that is not due, and takes the budget's
   * share of its account.
   *
   * @param present the records' topics as the cluster describes them
   * @param key that it draws with, and signs with
   * @throws RefusedException if it must not run
   */
  public static Ready require(
      Plan plan, KafkaSettings settings, Cluster cluster, SourceTopics present, NoiseKey key)
      throws RefusedException {
    Pipeline pipeline = plan.pipeline();
    String budget = pipeline.budget().name();
    RegistryHandover handover = new RegistryHandover(pipeline, settings, cluster, key);
    handover.open();
    Registry registry = new Registry(settings, budget, Optional.of(key));
    StateReader found = new StateTopics(pipeline).readMeta(settings, cluster);
    RegistryContents contents = registry.read();
    // Of a state that ran the key is known. Before, who cannot tell what is genuine refuses.
    RegistryEntries entries = found.hasRun() ? contents.heard() : contents.unverified();
    if (entries.ended().isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of budget '%s' %s: it was exported%s. Run the pipeline that imported it, or import the file: sfumato ledger import"
              .formatted(
                  budget,
                  entries.ended().get(),
                  entries
                      .sealed()
                      .flatMap(at -> entries.continued())
                      .map(by -> " and continues as budget '" + ControlCharEscaper.of(by) + "'")
                      .orElse("")));
    }
    BudgetAncestry.requireImported(budget, entries.awaited(), found);
    BegunState.require(pipeline, entries.begun(), settings, cluster, found);
    SourceTopics sources =
        found.joined(BegunState.sources(entries.begun(), present), pipeline.version());
    requireNotDrained(pipeline, sources.journalPartitions(), settings, found);
    StateTopics.require(found::requireWhole);
    PipelineRegistry names = new PipelineRegistry(settings, pipeline, Optional.of(key));
    BudgetAncestry ancestry = new BudgetAncestry(settings, cluster, Optional.of(key));
    ancestry.requireSameBudget(pipeline, first(names, found));
    ancestry.requireOnlyContinuation(found.importedFrom(), budget);
    StateTopics.require(() -> found.requireReadyFor(plan, sources, key.tag()));
    if (pipeline.population().isPresent()) {
      StateReader subjects = new StateTopics(pipeline).keepers(found, settings, cluster);
      StateTopics.require(
          () -> {
            subjects.requireReadyFor(plan, sources, key.tag());
            found.requireOneStart(pipeline.version(), subjects);
          });
    }
    handover.requireHandedOver();
    new AccountShare(plan, settings, cluster, key).take(registry, entries);
    // Only now: a budget that its account refuses may still be renamed.
    names.enter(budget);
    ancestry.requireSameBudget(pipeline, names.first());
    return new Ready(plan, found, sources);
  }

  /** Everything that was closed is released, and nothing else ever will be. */
  private static void requireNotDrained(
      Pipeline pipeline, int partitions, KafkaSettings settings, StateReader found)
      throws RefusedException {
    if (found.isDrained(partitions) && new StateTopics(pipeline).isDrained(settings, partitions)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the pipeline of budget '%s' releases nothing more: its ledger is being exported. Run 'sfumato ledger export' again to finish the interrupted export"
              .formatted(pipeline.budget().name()));
    }
  }

  /** A budget that ran does not begin with nothing spent, whoever says what. */
  private static Optional<String> first(PipelineRegistry names, StateReader found)
      throws RefusedException {
    Optional<String> mine = names.first();
    return mine.isPresent() || found.hasRun() ? mine : names.firstOfOthers();
  }

  /**
   * Whether a budget's ledger was exported, or goes on elsewhere.
   *
   * @param key of the budget; without one an entry that anybody may have written counts
   */
  public static boolean isEnded(
      String budget, KafkaSettings settings, Cluster cluster, Optional<NoiseKey> key)
      throws RefusedException {
    return new BudgetAncestry(settings, cluster, key).ended(budget).isPresent();
  }

  /**
   * The version that a file takes over from, if instances of it run: partitions that they hold wait
   * for them to stop.
   */
  public static OptionalInt runningPredecessor(Ready ready, Cluster cluster)
      throws RefusedException {
    OptionalInt oldest = ready.state().oldest();
    return oldest.isPresent()
            && oldest.getAsInt() < ready.plan().pipeline().version()
            && cluster.groups().hasMembers(ready.plan().pipeline().applicationId())
        ? oldest
        : OptionalInt.empty();
  }

  /**
   * The last thing before a start. Two first starts with different files would each begin a part of
   * the state, or read records for the other: the one that comes first in the registry's log holds,
   * until the state itself knows its file. Another one may take its place as long as nothing was
   * read and nobody runs.
   *
   * <p>The registry is read anew: who came first is decided there. The state is not: a file that
   * another instance began it with since is in the registry too, so at worst this one is refused
   * here and not by its keepers.
   *
   * @param key that it draws with
   * @throws RefusedException if another file or key came first
   */
  public static void enter(Ready ready, KafkaSettings settings, Cluster cluster, NoiseKey key)
      throws RefusedException {
    if (ready.state().hasRun()) {
      return;
    }
    Plan plan = ready.plan();
    Started mine = Started.of(plan, key.tag());
    Registry registry = new Registry(settings, mine.budget(), Optional.of(key));
    Optional<Started> first = registry.read().unverified().started();
    if (first.isEmpty()
        || !first.get().isSame(mine)
            && mine.at() - first.get().at() > JOINING.toMillis()
            && isUntouched(plan.pipeline(), settings, cluster)) {
      registry.enter(mine, first);
      first = registry.read().unverified().started();
    }
    if (!first.map(mine::isSame).orElse(false)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("budget '%s' was started with another file (version %d) or noise key, and that "
                  + "pipeline is running, has read records, or was started less than a minute "
                  + "ago: run that file, or try again in a minute. If nothing was released yet, "
                  + "give the pipeline and the budget in this file new names")
              .formatted(mine.budget(), first.map(Started::version).orElse(0)));
    }
  }

  /** Remembers which topics hold the budget's state, before anything is charged. */
  public static void remember(Ready ready, KafkaSettings settings, Cluster cluster, NoiseKey key)
      throws RefusedException {
    int partitions = ready.sources().journalPartitions();
    BegunState.remember(ready.plan().pipeline(), partitions, settings, cluster, key);
  }

  private static boolean isUntouched(Pipeline pipeline, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    return !cluster.groups().hasMembers(pipeline.applicationId())
        && new StateTopics(pipeline).hasReadNothing(settings, cluster);
  }

  /**
   * Refuses to announce a file that could not take over.
   *
   * @param present the records' topics as the cluster describes them
   * @param noiseKey tag of the key that it will draw with
   * @param from event time from which it shall hold
   * @return what it comes after
   */
  public static Before requireSuccessor(
      Plan plan,
      KafkaSettings settings,
      Cluster cluster,
      SourceTopics present,
      String noiseKey,
      long from)
      throws RefusedException {
    StateTopics state = new StateTopics(plan.pipeline());
    StateReader found = state.readMeta(settings, cluster);
    Optional<RunningVersion> runningVersion = found.runningVersion();
    if (runningVersion.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "budget '%s' has no state yet at %s: start it with 'sfumato run FILE'"
              .formatted(plan.pipeline().budget().name(), settings.bootstrapServers()));
    }
    StateReader subjects = state.keepers(found, settings, cluster);
    StateTopics.require(() -> found.requireOneVersion(subjects));
    int version = runningVersion.get().version();
    requireNotStarted(plan.pipeline(), version, cluster);
    if (plan.pipeline().version() <= version) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the file has version %d, but version %d is running; raise 'version'"
              .formatted(plan.pipeline().version(), version));
    }
    long start = plan.pipeline().window().firstStartFrom(from);
    requireOpenEverywhere(plan.pipeline(), found, start);
    SourceTopics sources =
        joining(SourceIds.known(plan.pipeline(), settings, cluster, present), found, start);
    String digest =
        StateTopics.ask(
            () -> runningVersion.get().requireSuccessor(plan, sources, noiseKey, start));
    long released = found.image().map(LedgerImage::floor).orElse(Long.MIN_VALUE);
    return new Before(
        digest,
        version,
        found.announced(),
        plan.pipeline().population().isPresent()
            ? start
            : Math.max(start, firstOpen(plan, released)),
        found.joining(sources),
        runningVersion.get().beginningAnew(plan));
  }

  /**
   * Refuses another announcement once instances of a new version have started: they may take over
   * some partitions before it arrives, and the version that has the others could not go on.
   */
  private static void requireNotStarted(Pipeline pipeline, int running, Cluster cluster)
      throws RefusedException {
    OptionalInt newest = cluster.groups().newestVersion(pipeline.applicationId());
    if (newest.isPresent() && newest.getAsInt() > running) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "instances of version %1$d have started, and take over when those of version %2$d stop. Stop the instances of version %2$d, and announce the next version when version %1$d runs. To replace version %1$d instead, stop its instances first, and run this command again"
              .formatted(newest.getAsInt(), running));
    }
  }

  /** Behind users all partitions change at one window, so none may have closed it. */
  private static void requireOpenEverywhere(Pipeline pipeline, StateReader found, long start)
      throws RefusedException {
    OptionalLong foremost = found.foremost();
    if (pipeline.population().isPresent() && foremost.isPresent() && start < foremost.getAsLong()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "a partition has closed windows that start before %s, and the version of a pipeline of users changes at one window for all partitions: give --from %s or later"
              .formatted(
                  pipeline.window().timeText(foremost.getAsLong()),
                  Instant.ofEpochMilli(foremost.getAsLong())));
    }
  }

  /** New topics as they join where every partition takes over at once. */
  private static SourceTopics joining(SourceTopics sources, StateReader found, long from) {
    Set<String> joining = found.joining(sources);
    return new SourceTopics(
        sources.topics().stream()
            .map(topic -> joining.contains(topic.name()) ? topic.joining(from) : topic)
            .toList());
  }

  /**
   * Start of the next window after what is released.
   *
   * @return milliseconds since 1970; nothing if no window has closed, and the file says not where
   *     windows begin
   */
  public static OptionalLong firstOpen(Plan plan, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    StateReader found = new StateTopics(plan.pipeline()).readMeta(settings, cluster);
    if (plan.pipeline().population().isPresent() && found.foremost().isPresent()) {
      return OptionalLong.of(plan.pipeline().window().firstStartFrom(found.foremost().getAsLong()));
    }
    long released = found.image().map(LedgerImage::floor).orElse(Long.MIN_VALUE);
    return released == Long.MIN_VALUE
        ? plan.pipeline().window().begin()
        : OptionalLong.of(firstOpen(plan, released));
  }

  /**
   * Where the ledger that a budget began with was sealed: windows that start earlier stay closed.
   *
   * @return milliseconds since 1970; nothing if none was imported
   */
  public static OptionalLong sealedAt(Pipeline pipeline, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    return new StateTopics(pipeline).readMeta(settings, cluster).sealedAt();
  }

  private static long firstOpen(Plan plan, long released) {
    return released == Long.MIN_VALUE
        ? released
        : plan.pipeline().window().firstStartFrom(released);
  }

  /**
   * What a version comes after.
   *
   * @param digest of it, hexadecimal, as it is announced
   * @param running the version that runs now
   * @param announced a version that was to take over, and does not if another one is announced
   * @param first start of the first window that is left to it now, milliseconds since 1970
   * @param joining topics that it is the first to read
   * @param anew outputs whose sums over windows begin anew with it
   */
  public record Before(
      String digest,
      int running,
      Optional<PendingVersion> announced,
      long first,
      Set<String> joining,
      List<String> anew) {}
}
