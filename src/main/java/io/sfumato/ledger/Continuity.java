// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What must hold between a file and the ledger it works on, before anything starts. */
public final class Continuity {
  /** By then an instance that was started is a member of its group, or has failed. */
  private static final Duration JOINING = Duration.ofMinutes(1);

  private Continuity() {}

  /**
   * What may run.
   *
   * @param plan as it goes on with the budget's state
   * @param state of the budget as it was found; an empty one if there was none
   */
  public record Ready(Plan plan, LedgerImage.Reader state) {}

  /**
   * Refuses a budget whose ledger is sealed and a version that is not due, and takes the budget's
   * share of its account.
   *
   * @param source the records' topic
   * @param noiseKey tag of the key that it draws with
   * @throws RefusedException if it must not run
   */
  public static Ready require(
      Plan plan, KafkaSettings settings, Cluster cluster, Cluster.Source source, String noiseKey)
      throws RefusedException {
    String budget = plan.pipeline().budget().name();
    Registry registry = new Registry(settings);
    registry.create(cluster);
    Registry.Contents contents = registry.read();
    if (contents.isSealed(budget)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of budget '%s' was sealed at %s: it was exported%s. Run the pipeline that it goes on in; or import the file: sfumato ledger import"
              .formatted(
                  budget,
                  contents.sealed().get(budget),
                  Optional.ofNullable(contents.continued().get(budget))
                      .map(by -> " and goes on as budget '" + by + "'")
                      .orElse("")));
    }
    LedgerImage.Reader found = new StateTopics(plan.pipeline()).readMeta(settings, cluster);
    StateTopics.require(found::requireWhole);
    requireSameBudget(plan.pipeline(), contents);
    requireOnlyContinuation(found, contents, budget);
    Plan next = StateTopics.ask(() -> found.planFor(plan));
    StateTopics.require(
        () -> found.requireReadyFor(next, source.id(), source.partitions(), noiseKey));
    registry.claim(plan.pipeline().budget());
    // Only now: a budget that its account refuses may still be renamed.
    if (contents.budgetOf(plan.pipeline().name()).isEmpty()) {
      registry.enter(plan.pipeline().name(), budget);
      requireSameBudget(plan.pipeline(), registry.read());
    }
    return new Ready(next, found);
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
            && cluster.hasMembers(ready.plan().pipeline().applicationId())
        ? oldest
        : OptionalInt.empty();
  }

  /** Two imports of one file, into two budgets at once, may both have been written. */
  private static void requireOnlyContinuation(
      LedgerImage.Reader state, Registry.Contents contents, String budget) throws RefusedException {
    Optional<String> other =
        state.importedFrom().map(contents.continued()::get).filter(by -> !by.equals(budget));
    if (other.isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger that budget '%s' was imported from goes on as budget '%s'; two of them would each spend what is left. Run that one"
              .formatted(budget, other.get()));
    }
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
   * @param noiseKey tag of the key that it draws with
   * @throws RefusedException if another file or key came first
   */
  public static void enter(Ready ready, KafkaSettings settings, Cluster cluster, String noiseKey)
      throws RefusedException {
    if (ready.state().hasRun()) {
      return;
    }
    Plan plan = ready.plan();
    Registry registry = new Registry(settings);
    Registry.Started mine = Registry.Started.of(plan, noiseKey);
    Optional<Registry.Started> first = registry.read().started(mine.budget());
    if (first.isEmpty()
        || !first.get().isSame(mine)
            && mine.at() - first.get().at() > JOINING.toMillis()
            && isUntouched(plan.pipeline(), settings, cluster)) {
      registry.enter(mine, first);
      first = registry.read().started(mine.budget());
    }
    if (!first.map(mine::isSame).orElse(false)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("budget '%s' was started with version %d of another file, or with another noise key, and it"
                  + " runs, has read records, or was started less than a minute ago: run what it was"
                  + " started with, or try again in a minute. If nothing was released yet, a pipeline"
                  + " and a budget of other names may begin with this file")
              .formatted(mine.budget(), first.map(Registry.Started::version).orElse(0)));
    }
  }

  private static boolean isUntouched(Pipeline pipeline, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    return !cluster.hasMembers(pipeline.applicationId())
        && new StateTopics(pipeline).hasReadNothing(settings, cluster);
  }

  /** A pipeline with another budget's name would let everybody begin with nothing spent. */
  private static void requireSameBudget(Pipeline pipeline, Registry.Contents contents)
      throws RefusedException {
    String budget = pipeline.budget().name();
    Optional<String> before = contents.budgetOf(pipeline.name());
    if (before.isPresent() && !before.get().equals(budget)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("pipeline '%s' runs on budget '%s'; on budget '%s' everybody would begin with nothing spent. Put"
                  + " the name back, or carry the ledger over: sfumato ledger export, sfumato ledger"
                  + " import. If these are other people's data, give the pipeline another name too")
              .formatted(pipeline.name(), before.get(), budget));
    }
  }

  /**
   * Refuses to announce a file that could not take over.
   *
   * @param noiseKey tag of the key that it will draw with
   * @param from event time from which it shall hold
   * @return what it comes after
   */
  public static Before requireSuccessor(
      Plan plan,
      KafkaSettings settings,
      Cluster cluster,
      Cluster.Source source,
      String noiseKey,
      long from)
      throws RefusedException {
    LedgerImage.Reader found = new StateTopics(plan.pipeline()).readMeta(settings, cluster);
    Optional<LedgerImage.Incumbent> incumbent = found.incumbent();
    if (incumbent.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "budget '%s' has no state yet at %s: just run the file"
              .formatted(plan.pipeline().budget().name(), settings.bootstrapServers()));
    }
    int version = incumbent.get().version();
    if (plan.pipeline().version() <= version) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the file says version %d, version %d runs; raise 'version'"
              .formatted(plan.pipeline().version(), version));
    }
    long start = plan.pipeline().window().firstStartFrom(from);
    StateTopics.require(
        () -> {
          found.requireOneVersion();
          incumbent.get().requireSuccessor(plan, source.id(), source.partitions(), noiseKey, start);
        });
    return new Before(version, found.announced());
  }

  /**
   * What a version comes after.
   *
   * @param running the version that runs now
   * @param announced a version that was to take over, and does not if another one is announced
   */
  public record Before(int running, Optional<LedgerImage.Announced> announced) {}
}
