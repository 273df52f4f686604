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
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The first start of a budget about a topic that other budgets have released about, or the first
 * with a topic that joins. Its history would be released again, and losses add: that needs a common
 * account, or an operator's consent, which the budget's registry keeps. A budget that has begun, or
 * goes on with the ledger of one that released about the same topic, is not asked: nothing is
 * released again. A copy of the topic under another name is another topic.
 */
public final class AddedLoss {
  /** First starts that are less apart may be at once: more than clocks differ. */
  private static final Duration TOGETHER = Duration.ofMinutes(10);

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final Cluster cluster;
  private final SourceTopics sources;
  private final Registry registry;
  private final boolean accepted;

  /**
   * @param sources the records' topics
   * @param key of the budget
   * @param accepted whether an operator accepts that losses add
   */
  public AddedLoss(
      Pipeline pipeline,
      KafkaSettings settings,
      Cluster cluster,
      SourceTopics sources,
      NoiseKey key,
      boolean accepted) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.cluster = cluster;
    this.sources = sources;
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
    List<SourceTopics.Topic> fresh = fresh();
    if (fresh.isEmpty()) {
      return new Outlook(List.of(), List.of(), List.of());
    }
    SameTopic same = new SameTopic(pipeline, settings, cluster);
    SameTopic.Found found = same.look(ids(fresh));
    if (!found.adding().isEmpty() && !accepted) {
      throw same.refused(found.adding());
    }
    List<String> remarks = new ArrayList<>();
    if (!found.adding().isEmpty()) {
      remarks.add(
          "warning: other budgets have released data of %s: %s. The losses of budget '%s' add to theirs (--accept-added-loss); 'sfumato report FILE --bootstrap-servers HOST:PORT' shows it"
              .formatted(
                  pipeline.input().topics().quoted(),
                  ControlCharEscaper.of(String.join(", ", found.adding())),
                  pipeline.budget().name()));
    }
    found.remark(pipeline).ifPresent(remarks::add);
    return new Outlook(fresh, found.adding(), remarks);
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
    List<RecordsTopic> topics =
        sources.topics().stream()
            .map(topic -> new RecordsTopic(topic.name(), topic.id(), outlook.adding(), 0))
            .toList();
    if (outlook.fresh().isEmpty() || accepted) {
      registry.about(topics);
      return;
    }
    registry.announce(topics);
    SameTopic same = new SameTopic(pipeline, settings, cluster);
    SameTopic.Found found = same.look(ids(outlook.fresh()));
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
   * @param fresh topics that the budget has released nothing about; none if it is no first start
   * @param adding budgets whose losses add
   * @param remarks for the operator, a sentence each
   */
  public record Outlook(List<SourceTopics.Topic> fresh, List<String> adding, List<String> remarks) {
    public Outlook {
      fresh = List.copyOf(fresh);
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
            .about(false).stream().flatMap(topic -> topic.accepted().stream()).distinct().toList()
        : List.of();
  }

  /**
   * The topics that it has released nothing about: it never read them, and did not import the
   * ledger of a budget that released about them.
   */
  private List<SourceTopics.Topic> fresh() throws RefusedException {
    RegistryEntries entries = registry.read().unverified();
    boolean begun = !entries.begun().equals(Begun.NOT);
    StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
    if (entries.ended().isPresent()) {
      return List.of();
    }
    if (state.hasRun()) {
      Set<String> joining = state.joining(sources);
      return sources.topics().stream().filter(topic -> joining.contains(topic.name())).toList();
    }
    if (begun && entries.awaited().isEmpty()) {
      return List.of();
    }
    if (state.importedFrom().isEmpty()) {
      return begun ? List.of() : sources.topics();
    }
    Set<String> before = idsOf(state.importedFrom().get());
    return sources.topics().stream().filter(topic -> !before.contains(topic.id())).toList();
  }

  private Set<String> idsOf(String former) throws RefusedException {
    return cluster.topics().isThere(Registry.topicOf(former))
        ? Set.copyOf(
            new Registry(settings, former, Optional.empty())
                .about(false).stream().map(RecordsTopic::id).toList())
        : Set.of();
  }

  private static Set<String> ids(List<SourceTopics.Topic> topics) {
    return topics.stream().map(SourceTopics.Topic::id).collect(Collectors.toSet());
  }
}
