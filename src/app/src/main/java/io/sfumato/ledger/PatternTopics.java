// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.TopicNames;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.RunningVersion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The topics that the pattern of a file stands for. A version reads the topics that were there when
 * it started first, or was announced: its state has the list, and before that the budget's
 * registry, so that all instances read the same ones. A topic that appears later joins with the
 * next version.
 */
public final class PatternTopics {
  /** Key of the entries, which {@link Registry} passes over. */
  private static final String TOPICS = "topics";

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final Cluster cluster;
  private final Optional<NoiseKey> key;
  private final String registry;
  private final SignedLog log;

  /**
   * @param key of the budget; without one an entry that anybody may have written counts
   */
  public PatternTopics(
      Pipeline pipeline, KafkaSettings settings, Cluster cluster, Optional<NoiseKey> key) {
    String budget = pipeline.budget().name();
    this.pipeline = pipeline;
    this.settings = settings;
    this.cluster = cluster;
    this.key = key;
    this.registry = Registry.topicOf(budget);
    this.log =
        new SignedLog(
            settings,
            registry,
            TransactionalIds.of(pipeline.applicationId(), "topics"),
            key.map(of -> of.entriesOf("budget/" + budget)));
  }

  /** A pipeline with its topics, for who only looks; the same where its file lists them. */
  public static Pipeline resolve(Pipeline pipeline, KafkaSettings settings)
      throws RefusedException {
    if (pipeline.input().topics().pattern().isEmpty()) {
      return pipeline;
    }
    try (Cluster cluster = new Cluster(settings)) {
      return new PatternTopics(pipeline, settings, cluster, Optional.empty()).resolve();
    }
  }

  /** The same of a plan. */
  public static Plan resolve(Plan plan, KafkaSettings settings) throws RefusedException {
    return new Plan(resolve(plan.pipeline(), settings), plan.releases());
  }

  /**
   * The pipeline with the topics that its version reads.
   *
   * @throws RefusedException if there is none, or the pattern matches a topic that holds no records
   */
  public Pipeline resolve() throws RefusedException {
    return pattern().isEmpty() ? pipeline : with(names(said()));
  }

  /** The same of a version that is announced now: with every topic that there is. */
  public Pipeline resolveAnew() throws RefusedException {
    return pattern().isEmpty() ? pipeline : with(names(Optional.empty()));
  }

  /** Topics that match, and that the version does not read: they join with the next one. */
  public List<String> later(Pipeline resolved) throws RefusedException {
    if (pattern().isEmpty()) {
      return List.of();
    }
    List<String> read = resolved.input().topics().names();
    return matching().stream().filter(topic -> !read.contains(topic)).toList();
  }

  /** What to do so that a topic that matches is read. Users bring their ledger to another file. */
  public static String howToJoin(Pipeline pipeline) {
    return pipeline.population().isPresent()
        ? "carry the ledger over to a file with other names: sfumato ledger export OLD --for NEW, sfumato ledger import NEW"
        : "raise 'version' and run: sfumato activate FILE";
  }

  /**
   * Writes down what a version reads that starts now, unless an instance did so before. To be
   * called before anything is read.
   *
   * @param resolved the pipeline with its topics
   * @throws RefusedException if another instance has found other topics
   */
  public void enter(Pipeline resolved) throws RefusedException {
    if (pattern().isEmpty() || running().isPresent()) {
      return;
    }
    List<String> mine = resolved.input().topics().names();
    log.appendExclusively(() -> said().isPresent() ? List.of() : List.of(draft(mine)));
    List<String> first = said().orElse(mine);
    if (!first.equals(mine)) {
      throw new RefusedException(
          ExitCode.FAILED,
          "another instance started with topics %s, and this one found %s: start this one again"
              .formatted(String.join(", ", first), String.join(", ", mine)));
    }
  }

  /** Writes down what a version will read that is announced now. */
  public void announce(Pipeline resolved) throws RefusedException {
    if (pattern().isPresent()) {
      log.appendExclusively(() -> List.of(draft(resolved.input().topics().names())));
    }
  }

  private Optional<String> pattern() {
    return pipeline.input().topics().pattern();
  }

  private Pipeline with(List<String> names) {
    return pipeline.with(pipeline.input().topics().resolved(names));
  }

  /** Topics that this version of the state reads; nothing if it runs another one, or none. */
  private Optional<List<String>> running() throws RefusedException {
    return state()
        .filter(version -> version.version() == pipeline.version())
        .map(version -> version.sources().names());
  }

  private Optional<RunningVersion> state() throws RefusedException {
    return new StateTopics(pipeline).readMeta(settings, cluster).runningVersion();
  }

  private List<String> names(Optional<List<String>> said) throws RefusedException {
    Optional<List<String>> running = running();
    if (running.isPresent()) {
      return running.get();
    }
    if (said.isPresent()) {
      return said.get();
    }
    Set<String> names =
        new LinkedHashSet<>(state().map(version -> version.sources().names()).orElse(List.of()));
    names.removeIf(name -> !pipeline.input().topics().include(name));
    names.addAll(matching());
    if (names.isEmpty() || names.size() > InputTopics.MOST) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "the pattern '%s' matches %d topics at %s; allowed are 1 to %d. Create a topic that it matches, or change input.topic"
              .formatted(
                  pattern().orElseThrow(),
                  names.size(),
                  settings.bootstrapServers(),
                  InputTopics.MOST));
    }
    return List.copyOf(names);
  }

  private List<String> matching() throws RefusedException {
    List<String> found =
        cluster.topics().visible().stream()
            .filter(pipeline.input().topics()::include)
            .sorted()
            .toList();
    Optional<String> reserved = found.stream().filter(TopicNames::isReserved).findFirst();
    if (reserved.isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "field 'input.topic': the pattern '%s' matches topic '%s', which belongs to a budget or to the cluster. Choose a pattern that matches topics of records alone"
              .formatted(pattern().orElseThrow(), reserved.get()));
    }
    return found;
  }

  /** What was written down last for this version. */
  private Optional<List<String>> said() throws RefusedException {
    if (!cluster.topics().isThere(registry)) {
      return Optional.empty();
    }
    Optional<List<String>> last = Optional.empty();
    for (SignedLog.Entry entry : log.read()) {
      if (entry.key().equals(TOPICS)
          && (entry.isMine() || key.isEmpty())
          && entry.value().path("version").asInt() == pipeline.version()) {
        last = Optional.of(topics(entry.value())).filter(names -> !names.isEmpty());
      }
    }
    return last;
  }

  private static List<String> topics(JsonNode value) {
    List<String> names = new ArrayList<>();
    value.path("topics").forEach(name -> names.add(name.asText()));
    return names.stream().distinct().toList();
  }

  private SignedLog.Draft draft(List<String> names) {
    ObjectNode value = JsonNodeFactory.instance.objectNode().put("version", pipeline.version());
    ArrayNode all = value.putArray("topics");
    names.forEach(all::add);
    return new SignedLog.Draft(TOPICS, value);
  }
}
