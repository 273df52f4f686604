// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.StateReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first start of a budget about a topic that other budgets have released about. Its history
 * would be released again, and losses add: that needs a common account, or an operator's consent,
 * which the budget's registry keeps. A budget that has begun, or goes on with the ledger of one
 * that released about the same topic, is not asked: nothing is released again. A copy of the topic
 * under another name is another topic.
 */
public final class AddedLoss {
  /** First starts that are less apart may be at once: more than clocks differ. */
  private static final Duration TOGETHER = Duration.ofMinutes(10);

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final Cluster cluster;
  private final Cluster.Source source;
  private final Registry registry;
  private final boolean accepted;

  /**
   * @param source the records' topic
   * @param key of the budget
   * @param accepted whether an operator accepts that losses add
   */
  public AddedLoss(
      Pipeline pipeline,
      KafkaSettings settings,
      Cluster cluster,
      Cluster.Source source,
      NoiseKey key,
      boolean accepted) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.cluster = cluster;
    this.source = source;
    this.registry = new Registry(settings, pipeline.budget().name(), Optional.of(key));
    this.accepted = accepted;
  }

  /**
   * Looks at the other budgets, before this one takes a share or a name. The budget's registry must
   * be there.
   *
   * @return budgets whose losses add, and what an operator should know; empty for a budget that has
   *     begun
   * @throws RefusedException if losses would add which nobody accepted
   */
  public Outlook require() throws RefusedException {
    if (!isFirstStart()) {
      return new Outlook(false, List.of(), List.of());
    }
    SameTopic same = new SameTopic(pipeline, settings, cluster);
    SameTopic.Found found = same.look(source.id());
    if (!found.adding().isEmpty() && !accepted) {
      throw same.refused(found.adding());
    }
    List<String> remarks = new ArrayList<>();
    if (!found.adding().isEmpty()) {
      remarks.add(
          "warning: other budgets have released data of topic '%s': %s. The losses of budget '%s' add to theirs (--accept-added-loss); 'sfumato report FILE --bootstrap-servers HOST:PORT' shows it"
              .formatted(
                  pipeline.input().topic(),
                  ControlCharEscaper.of(String.join(", ", found.adding())),
                  pipeline.budget().name()));
    }
    found.remark(pipeline).ifPresent(remarks::add);
    return new Outlook(true, found.adding(), remarks);
  }

  /**
   * Writes down which topic the budget releases about, for others to find, and looks again: of two
   * first starts at once, at least one sees the other, whatever their clocks say, and does not go
   * on. To be called before anything is charged.
   *
   * @param outlook what {@link #require} found
   * @throws RefusedException if another budget came first meanwhile
   */
  public void remember(Outlook outlook) throws RefusedException {
    RecordsTopic topic =
        new RecordsTopic(pipeline.input().topic(), source.id(), outlook.adding(), 0);
    if (!outlook.isFirst() || accepted) {
      registry.about(topic);
      return;
    }
    registry.announce(topic);
    SameTopic same = new SameTopic(pipeline, settings, cluster);
    SameTopic.Found found = same.look(source.id());
    if (!found.adding().isEmpty()) {
      throw same.refused(found.adding());
    }
    List<String> together = found.announcedSince(System.currentTimeMillis() - TOGETHER.toMillis());
    if (!together.isEmpty()) {
      throw same.together(together);
    }
  }

  /**
   * What a first start found.
   *
   * @param isFirst whether it is one
   * @param adding budgets whose losses add
   * @param remarks for the operator, a sentence each
   */
  public record Outlook(boolean isFirst, List<String> adding, List<String> remarks) {
    public Outlook {
      adding = List.copyOf(adding);
      remarks = List.copyOf(remarks);
    }
  }

  /**
   * Budgets whose losses were accepted when a budget began, as its registry says, whoever signed
   * it; none where it has not begun.
   */
  public static List<String> acceptedOf(String budget, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    return cluster.topics().isThere(Registry.topicOf(budget))
        ? new Registry(settings, budget, Optional.empty())
            .about(false)
            .map(RecordsTopic::accepted)
            .orElse(List.of())
        : List.of();
  }

  /**
   * Whether it has released nothing about this topic: it never ran, and did not import the ledger
   * of a budget that released about it.
   */
  private boolean isFirstStart() throws RefusedException {
    RegistryEntries entries = registry.read().unverified();
    boolean begun = !entries.begun().equals(Begun.NOT);
    if (begun && entries.awaited().isEmpty()) {
      return false;
    }
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    if (entries.ended().isPresent() || state.hasRun()) {
      return false;
    }
    return state.importedFrom().isPresent() ? !isAboutTheSame(state.importedFrom().get()) : !begun;
  }

  private boolean isAboutTheSame(String former) throws RefusedException {
    return cluster.topics().isThere(Registry.topicOf(former))
        && new Registry(settings, former, Optional.empty())
            .about(false)
            .map(RecordsTopic::id)
            .equals(Optional.of(source.id()));
  }
}
