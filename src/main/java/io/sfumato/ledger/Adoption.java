// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.Incumbent;
import io.sfumato.topology.StateReader;
import java.util.Optional;

/**
 * Takes over into a budget's own registry what was written of it before: by earlier programs, which
 * did not sign, and with a noise key that another follows. Once: the first start of this program
 * signs what it finds and says so, and from then on nothing counts that its key did not sign.
 *
 * <p>Earlier programs' entries count for a budget that has changelogs or a journal already, and for
 * a pipeline whose budget, as they say, has: those are made with rights that no other tenant has,
 * while every tenant may have written entries.
 */
public final class Adoption {
  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final Cluster cluster;
  private final NoiseKey key;
  private final Registry registry;
  private final PipelineRegistry names;

  public Adoption(Pipeline pipeline, KafkaSettings settings, Cluster cluster, NoiseKey key) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.cluster = cluster;
    this.key = key;
    this.registry = new Registry(settings, pipeline.budget().name(), Optional.of(key));
    this.names = new PipelineRegistry(settings, pipeline, Optional.of(key));
  }

  /**
   * Takes over what is there, unless that was done, or entries of another key are to be handed over
   * first. To be called before the pipeline's topics are made: they tell whether it ran.
   */
  public void adopt() throws RefusedException {
    boolean budgetBegan = cluster.topics().hasInternalTopics(pipeline.applicationId());
    registry.create(cluster);
    names.create(cluster);
    boolean done = registry.read().mine().adopted();
    boolean named = names.isAdopted();
    if (done && named) {
      return;
    }
    if (named && names.first().equals(Optional.of(pipeline.budget().name()))) {
      throw lost();
    }
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    if (!done) {
      adoptBudget(state, budgetBegan);
    }
    if (!named) {
      adoptName(state);
    }
  }

  /** The budget's registry is written before the pipeline's, and is never without what it says. */
  private RefusedException lost() {
    return new RefusedException(
        ExitCode.STOPPED,
        "pipeline '%s' runs on budget '%s', and the budget's registry, topic '%s', does not know it: it was deleted. Starting would give every budget back. Restore that topic from a copy; or choose new names for the pipeline and its budget and start with --accept-added-loss: the loss is added to what was lost before"
            .formatted(
                pipeline.name(),
                pipeline.budget().name(),
                Registry.topicOf(pipeline.budget().name())));
  }

  private void adoptName(StateReader state) throws RefusedException {
    boolean dueHere = isProven(state) || !names.isAdoptedByOthers();
    names.adopt(dueHere ? formerBudget() : Optional.empty());
  }

  /**
   * The budget that the pipeline ran on under an earlier program, if that one left changelogs: the
   * pipeline's own topics are made by others, too, and every tenant may have written the entry.
   */
  private Optional<String> formerBudget() throws RefusedException {
    Optional<String> said =
        cluster.topics().isThere(pipeline.controlTopic())
            ? FormerRegistry.read(settings, cluster).budgetOf(pipeline.name())
            : Optional.empty();
    return said.isPresent()
            && cluster.topics().hasInternalTopics(Pipeline.applicationIdOf(said.get()))
        ? said
        : Optional.empty();
  }

  private void adoptBudget(StateReader state, boolean began) throws RefusedException {
    boolean ran = state.incumbent().isPresent();
    boolean announced = state.announcedKey().map(key.tag()::equals).orElse(false);
    boolean first = !registry.read().others().adopted();
    if (isProven(state) || first && (ran ? announced : began)) {
      registry.adopt(FormerRegistry.read(settings, cluster).of(pipeline.budget().name()));
    } else if (!ran && (first || state.imported().isEmpty())) {
      registry.adopt(RegistryEntries.NONE);
    }
    // Else another key works on the state, and has to hand over, or was said to be the one when the
    // ledger was imported: see requireAdopted.
  }

  /** Whether the budget's state was made with this key. */
  private boolean isProven(StateReader state) {
    return state.incumbent().map(Incumbent::noiseKey).filter(key.tag()::equals).isPresent();
  }

  /**
   * Refuses a key that entries were not handed over to.
   *
   * @throws RefusedException with what to do
   */
  void requireAdopted() throws RefusedException {
    RegistryContents contents = registry.read();
    if (contents.isCurrent()) {
      return;
    }
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    if (state.imported().isPresent() && !state.hasRun()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "budget '%s' was imported to draw with another noise key than this one (%s): give that secret; or import the same file again with this one"
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
        ("what %s says of budget '%s' was signed with another noise key. Whoever brings a new one hands"
                + " over from the old one: sfumato activate FILE --secret-file NEW --former-secret-file OLD")
            .formatted(Registry.topicOf(pipeline.budget().name()), pipeline.budget().name()));
  }

  /**
   * Hands entries over to a key that takes over.
   *
   * @param former the key that they are signed with, if it is another one
   * @throws RefusedException if they are signed with another key that is not given
   */
  public void handOver(Optional<NoiseKey> former) throws RefusedException {
    if (former.isPresent()) {
      Registry before = new Registry(settings, pipeline.budget().name(), former);
      new Adoption(pipeline, settings, cluster, former.get()).adopt();
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
    adopt();
    requireAdopted();
    if (former.isEmpty() && !registry.read().followers().isEmpty()) {
      // Another key was to follow. Has it, then what it signed must not be lost.
      if (!isProven(new StateTopics(pipeline).readMeta(settings, cluster))) {
        throw notHandedOver();
      }
      registry.bind();
    }
  }
}
