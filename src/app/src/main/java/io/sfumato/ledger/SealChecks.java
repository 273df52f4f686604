// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.HangingTransaction;
import io.sfumato.runtime.HangingTransactions;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What must hold before a budget's ledger is sealed, since a seal is for good.
 *
 * @param pipeline whose budget it is
 * @param settings of its cluster
 * @param key that the budget draws with
 * @param successor that will go on with the ledger, if it is known
 */
record SealChecks(
    Pipeline pipeline,
    KafkaSettings settings,
    NoiseKey key,
    Optional<LedgerExport.Successor> successor) {

  /** What the ledger goes on as, if it were sealed now. */
  LedgerImage require(Cluster cluster, LedgerExport.Unreleased unreleased) throws RefusedException {
    StateTopics state = new StateTopics(pipeline);
    String budget = pipeline.budget().name();
    StateReader found = state.readMeta(settings, cluster);
    // A seal cannot be taken back: what could not be read after it is looked for before.
    BegunState.require(
        pipeline, registry().read(cluster).unverified().begun(), settings, cluster, found);
    if (!state.exist(cluster)) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "budget '%s' has no ledger at %s: its pipeline has never run there"
              .formatted(budget, settings.bootstrapServers()));
    }
    requireReadable(cluster, state);
    // Half an imported ledger is finished first: sealed, it could not be.
    StateTopics.require(found::requireWhole);
    RegistryHandover handover = new RegistryHandover(pipeline, settings, cluster, key);
    handover.open();
    handover.requireHandedOver();
    Registry registry = registry();
    registry.requireNotFollowed();
    requireNoOtherHeir(registry.read().unverified().continued());
    LedgerImage image = image(state);
    int partitions = cluster.topics().partitions(state.meta());
    boolean isSealed = registry.read().mine().sealed().isPresent();
    if (!isSealed
        && unreleased == LedgerExport.Unreleased.RELEASE
        && !state.isDrained(settings, partitions)
        && !cluster.groups().hasMembers(pipeline.applicationId())) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the pipeline of budget '%s' is not running, so its closed windows would not be released: start it with its last file; or, if it cannot run again, abandon the closed windows with --stopped"
              .formatted(budget));
    }
    // A floor moves only as long as closed windows are released.
    boolean isFinal = isSealed || unreleased == LedgerExport.Unreleased.ABANDON;
    return successor.isPresent() ? checkSuccessor(facts(image), isFinal) : image;
  }

  /** Sealed, a ledger could be neither read nor continued where a transaction hangs in it. */
  private void requireReadable(Cluster cluster, StateTopics state) throws RefusedException {
    List<TopicPartition> partitions = cluster.offsets().partitionsOf(state.all());
    List<String> hanging =
        cluster
            .hanging(pipeline)
            .among(Set.copyOf(partitions), HangingTransactions.LONGEST)
            .hanging()
            .stream()
            .map(one -> one.partition().toString())
            .sorted()
            .toList();
    if (!hanging.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "a transaction hangs in %s, so the ledger cannot be read to its end: nothing was sealed. See %s"
              .formatted(String.join(", ", hanging), HangingTransaction.PAGE));
    }
  }

  private LedgerImage checkSuccessor(LedgerFacts facts, boolean isFinal) throws RefusedException {
    LedgerExport.Successor next = successor.orElseThrow();
    try (Cluster cluster = new Cluster(next.settings())) {
      Optional<WindowSpec> running = isFinal ? Optional.empty() : Optional.of(pipeline.window());
      return new CarryOver(next.plan(), next.settings(), cluster, key, Cluster.Safety.WAIVED)
          .require(new CarryOver.Source(facts, Optional.empty(), running));
    }
  }

  /** Name of the budget that alone may go on with the ledger, if it is known. */
  Optional<String> heir() {
    return successor.map(next -> next.plan().pipeline().budget().name());
  }

  /** A file that was exported for one budget is not exported for another, or for all. */
  private void requireNoOtherHeir(Optional<String> said) throws RefusedException {
    if (said.isPresent() && !said.equals(heir())) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of '%s' already continues as '%s'. If that budget has not imported it yet, export it for that pipeline (--for). If it has, there is nothing left to export here: to move the ledger again, export '%s'"
              .formatted(
                  pipeline.budget().name(),
                  ControlCharEscaper.of(said.get()),
                  ControlCharEscaper.of(said.get())));
    }
  }

  Registry registry() {
    return new Registry(settings, pipeline.budget().name(), Optional.of(key));
  }

  LedgerImage image(StateTopics state) throws RefusedException {
    return state
        .readMeta(settings)
        .image()
        .orElseThrow(
            () ->
                new RefusedException(
                    ExitCode.REFUSED_CLUSTER,
                    "the pipeline of budget '%s' never read a record"
                        .formatted(pipeline.budget().name())));
  }

  /**
   * The share of an account that the budget was granted; or, if it never ran, that it was to go on
   * with; or the account that its file names.
   */
  private InheritedShare share() throws RefusedException {
    RegistryEntries mine = registry().read().mine();
    InheritedShare named =
        new InheritedShare(pipeline.budget().account().map(AccountSpec::name).orElse(""), "");
    return mine.granted()
        .map(InheritedShare::of)
        .or(() -> Optional.of(mine.inherited()).filter(share -> !share.account().isEmpty()))
        .orElse(named);
  }

  LedgerFacts facts(LedgerImage image) throws RefusedException {
    InheritedShare share = share();
    return new LedgerFacts(
        pipeline.budget().name(),
        image,
        share.account(),
        share.mark(),
        successor.map(next -> LedgerFacts.Destination.of(next.plan())));
  }

  /** Until it has imported the ledger, nobody starts the budget that goes on with it. */
  void announce() throws RefusedException {
    if (successor.isEmpty()) {
      return;
    }
    KafkaSettings there = successor.get().settings();
    InheritedShare share = share();
    try (Cluster cluster = new Cluster(there)) {
      Registry registry =
          Registry.writtenBy(
              pipeline.budget().name(), there, heir().orElseThrow(), Optional.of(key));
      registry.create(cluster);
      registry.await(pipeline.budget().name(), share);
    }
  }
}
