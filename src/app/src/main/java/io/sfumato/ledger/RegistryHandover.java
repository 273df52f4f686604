// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.RunningVersion;
import io.sfumato.topology.StateReader;
import java.util.Optional;

/**
 * With which noise key a budget's registry, and its pipeline's, are signed. The first start creates
 * both and signs that it did; from then on nothing counts that its key did not sign. A new key
 * signs once the old one has handed over what it signed.
 */
public final class RegistryHandover {
  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final Cluster cluster;
  private final NoiseKey key;
  private final Registry registry;
  private final PipelineRegistry names;

  public RegistryHandover(
      Pipeline pipeline, KafkaSettings settings, Cluster cluster, NoiseKey key) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.cluster = cluster;
    this.key = key;
    this.registry = new Registry(settings, pipeline.budget().name(), Optional.of(key));
    this.names = new PipelineRegistry(settings, pipeline, Optional.of(key));
  }

  /**
   * Creates both registries and signs them, unless that was done, or entries of another key must be
   * handed over first.
   */
  public void open() throws RefusedException {
    registry.create(cluster);
    names.create(cluster);
    boolean done = registry.read().mine().adopted();
    boolean named = names.isOpen();
    if (done && named) {
      return;
    }
    if (named && names.first().equals(Optional.of(pipeline.budget().name()))) {
      throw lost();
    }
    if (!done && maySign()) {
      registry.open();
    }
    if (!named) {
      names.open();
    }
  }

  /** The budget's registry is written before the pipeline's, and is never without what it says. */
  private RefusedException lost() {
    return new RefusedException(
        ExitCode.STOPPED,
        "pipeline '%s' uses budget '%s', but the budget's registry, topic '%s', has no entry for it: the topic was deleted. Starting now would reset every budget. Restore the topic from a copy; or count everything up to a time as spent (sfumato ledger fail-over NEW --former FILE); or choose new names for the pipeline and its budget and start with --accept-added-loss: the new loss adds to the former one"
            .formatted(
                pipeline.name(),
                pipeline.budget().name(),
                Registry.topicOf(pipeline.budget().name())));
  }

  /**
   * Whether this key may sign the budget's registry: it made the state; or nothing ran, and no
   * other key was said to be the one when the ledger was imported. Otherwise another key works on
   * the state, and has to hand over.
   */
  private boolean maySign() throws RefusedException {
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    return state.runningVersion().isPresent()
        ? isProven(state)
        : state.imported().isEmpty() || !registry.read().others().adopted();
  }

  /** Whether the budget's state was made with this key. */
  private boolean isProven(StateReader state) {
    return state
        .runningVersion()
        .map(RunningVersion::noiseKey)
        .filter(key.tag()::equals)
        .isPresent();
  }

  /**
   * Refuses a key that entries were not handed over to.
   *
   * @throws RefusedException with what to do
   */
  void requireHandedOver() throws RefusedException {
    RegistryContents contents = registry.read();
    if (contents.isCurrent()) {
      return;
    }
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    if (state.imported().isPresent() && !state.hasRun()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "budget '%s' was imported for another noise key than this one (%s): give that secret, or import the same file again with this one"
              .formatted(pipeline.budget().name(), key.tag()));
    }
    if (!contents.mine().adopted()) {
      throw notHandedOver();
    }
  }

  /** An import says with which key the budget will draw: the last one, as long as nothing ran. */
  void bind() throws RefusedException {
    registry.bind();
  }

  private RefusedException notHandedOver() {
    return new RefusedException(
        ExitCode.STOPPED,
        ("the entries of %s for budget '%s' were signed with another noise key. To change the "
                + "key, hand over from the old one: sfumato activate FILE --secret-file NEW "
                + "--former-secret-file OLD")
            .formatted(Registry.topicOf(pipeline.budget().name()), pipeline.budget().name()));
  }

  /**
   * A seal that another key signed is heard as long as that key is the last one: binding an earlier
   * key again would let the budget start anew beside the one that it continues as.
   *
   * @param signer key that the entries are signed with
   */
  private void requireNotEnded(NoiseKey signer) throws RefusedException {
    String budget = pipeline.budget().name();
    Optional<String> ended =
        new BudgetAncestry(settings, cluster, Optional.of(signer)).ended(budget);
    if (ended.isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of budget '%s' %s: no version of its pipeline runs any more"
              .formatted(budget, ended.get()));
    }
  }

  /**
   * Hands entries over to a key that takes over.
   *
   * @param former the key that they are signed with, if it is another one
   * @throws RefusedException if the ledger ended, or they are signed with another key that is not
   *     given
   */
  public void handOver(Optional<NoiseKey> former) throws RefusedException {
    requireNotEnded(former.orElse(key));
    if (former.isPresent()) {
      Registry before = new Registry(settings, pipeline.budget().name(), former);
      new RegistryHandover(pipeline, settings, cluster, former.get()).open();
      if (!before.read().mine().adopted()) {
        throw notHandedOver();
      }
      // First, and every time: until the former key is gone, it may say more.
      new OrdersLog(pipeline, settings, key)
          .takeOver(new OrdersLog(pipeline, settings, former.get()));
      String budget = pipeline.budget().name();
      new CountLog(settings, budget, key).takeOver(new CountLog(settings, budget, former.get()));
      registry.takeOver(before);
      Optional<String> first = new PipelineRegistry(settings, pipeline, former).first();
      if (first.isPresent()) {
        names.enter(first.get());
      }
    }
    open();
    requireHandedOver();
    if (former.isEmpty() && !registry.read().followers().isEmpty()) {
      // Another key was to follow. Has it, then what it signed must not be lost.
      if (!isProven(new StateTopics(pipeline).readMeta(settings, cluster))) {
        throw notHandedOver();
      }
      registry.bind();
    }
  }
}
