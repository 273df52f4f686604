// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when topics that a running pipeline reads, writes or owns change: deleted, created again,
 * or with other partitions. Kafka's clients wait for deleted topics for minutes or for ever, never
 * read new partitions, and do not tell one topic from another one of the same name. Also notices
 * when the cluster is lost, and when settings of its topics become dangerous.
 */
final class TopicWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(2);

  /**
   * How topics changed since they were first seen.
   *
   * @param deleted topics that are gone
   * @param recreated topics that have another id
   * @param resized topics whose number of partitions is another one, with that number
   */
  record Changes(Set<String> deleted, Set<String> recreated, Map<String, Integer> resized) {
    boolean isEmpty() {
      return deleted.isEmpty() && recreated.isEmpty() && resized.isEmpty();
    }
  }

  private record Seen(String id, int partitions) {}

  private final Admin admin;
  private final ClusterReachability reachability;
  private final ChangedTopics meaning;
  private final SettingsWatch settings;
  private final Set<String> topics;
  private final Transactions transactions;

  /** After which the cluster aborts a transaction, if it can. */
  private final Duration longestTransaction;

  private final Consumer<RefusedException> changed;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "topic-watch");
            thread.setDaemon(true);
            return thread;
          });

  /** Each topic as it was when it was first seen. */
  private final Map<String, Seen> first = new HashMap<>();

  /** Whether every topic has been created: one that was never seen is missing, too. */
  private volatile boolean allExist;

  /** Topics that were missing at the last look: a new leader may not know a topic for a moment. */
  private Set<String> suspected = Set.of();

  /** The watch of what an instance runs. */
  static TopicWatch of(StreamsMaker maker, Consumer<RefusedException> changed) {
    return new TopicWatch(
        maker.instance().settings(),
        new ChangedTopics(maker.plan().pipeline()),
        maker.clients().transactions(),
        changed);
  }

  /**
   * @param meaning names the topics, and says why their changes stop a pipeline
   * @param transactions of the pipeline: those that stay open show that the cluster cannot write
   * @param changed is called once, with what the first changes mean
   */
  TopicWatch(
      KafkaSettings settings,
      ChangedTopics meaning,
      Transactions transactions,
      Consumer<RefusedException> changed) {
    this.transactions = transactions;
    this.longestTransaction = Duration.ofMillis(Timeouts.of(settings.all()).transaction());
    this.admin = Admin.create(settings.admin());
    this.reachability = new ClusterReachability(settings.bootstrapServers(), LOG::warn);
    this.meaning = meaning;
    this.settings =
        new SettingsWatch(admin, meaning.rules(), new TopicCommand(settings.bootstrapServers()));
    this.topics = Set.copyOf(meaning.watched());
    this.changed = changed;
    timer.scheduleWithFixedDelay(this::poll, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Says that every topic has been created by now. */
  void expectAll() {
    allExist = true;
  }

  /** Number of settings of the pipeline's own topics that endanger it now. */
  int risks() {
    return settings.risks();
  }

  private void poll() {
    now()
        .or(this::settings)
        .ifPresent(
            reason -> {
              changed.accept(reason);
              timer.shutdown();
            });
  }

  /**
   * What changes there are by now mean, for a thread that has found records or topics gone: a topic
   * that is missing counts at the first look. Nothing if the cluster does not answer.
   */
  synchronized Optional<RefusedException> suspect() {
    suspected = topics;
    return now();
  }

  private synchronized Optional<RefusedException> now() {
    try {
      Changes changes = changes(look());
      reachability.heard(!transactions.areStuck(longestTransaction));
      return Optional.of(changes).filter(found -> !found.isEmpty()).map(meaning::reason);
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      suspected = Set.of(); // the cluster does not answer, or was closed: no topic is missed
      reachability.missed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private synchronized Optional<RefusedException> settings() {
    try {
      return settings.look();
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      LOG.debug("settings of topics", e); // the next look is soon
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /** What is there now; nothing of a topic that is missing. */
  private Map<String, Optional<Seen>> look()
      throws ExecutionException, TimeoutException, InterruptedException {
    Map<String, Optional<Seen>> now = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        TopicDescription found = topic.getValue().get(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        now.put(
            topic.getKey(),
            Optional.of(new Seen(found.topicId().toString(), found.partitions().size())));
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        now.put(topic.getKey(), Optional.empty());
      }
    }
    return now;
  }

  private Changes changes(Map<String, Optional<Seen>> now) {
    Set<String> missing = new HashSet<>();
    Changes changes = new Changes(new TreeSet<>(), new TreeSet<>(), new TreeMap<>());
    now.forEach(
        (topic, found) -> {
          if (found.isEmpty()) {
            missing.add(topic);
            return;
          }
          Seen before = first.computeIfAbsent(topic, name -> found.get());
          if (!before.id().equals(found.get().id())) {
            changes.recreated().add(topic);
          } else if (before.partitions() != found.get().partitions()) {
            changes.resized().put(topic, found.get().partitions());
          }
        });
    missing.stream()
        .filter(suspected::contains)
        .filter(topic -> allExist || first.containsKey(topic))
        .forEach(changes.deleted()::add);
    suspected = missing;
    return changes;
  }

  /** Whether a topic was there at some look. */
  synchronized boolean hasSeen(String topic) {
    return first.containsKey(topic);
  }

  /** Looks no more. */
  void stop() {
    timer.shutdownNow();
  }

  /** Whether the cluster answers now. */
  boolean isAnswered() {
    try {
      admin.listTopics().names().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      return false; // or was closed before
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    stop();
    admin.close(Duration.ofSeconds(5));
  }
}
