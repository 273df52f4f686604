// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which hanging transactions a running pipeline waits for. Kafka Streams waits in silence: a
 * task restores up to the transaction, and its state is REBALANCING for ever.
 *
 * <p>Asks where committed records end. Only partitions where that is before the end, and was the
 * same at the look before, are looked at further; only what two looks in a row find is said, since
 * a coordinator that is about to start elsewhere knows nothing for a while.
 */
final class HangingTransactionWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HangingTransactionWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  private final KafkaSettings settings;
  private final Pipeline pipeline;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "hanging-transaction-watch");
            thread.setDaemon(true);
            return thread;
          });

  /** None before the first look: an instance that ends soon needs none. */
  private Optional<Cluster> cluster = Optional.empty();

  /** At the last look, by partition: where committed records ended, if not at the end. */
  private Map<TopicPartition, Long> held = Map.of();

  /** What the last look found. */
  private List<HangingTransaction> suspected = List.of();

  private volatile Set<String> hanging = Set.of();

  HangingTransactionWatch(KafkaSettings settings, Pipeline pipeline) {
    this.settings = settings;
    this.pipeline = pipeline;
    timer.scheduleWithFixedDelay(
        this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Partitions with a hanging transaction, as names. */
  Set<String> hanging() {
    return hanging;
  }

  /** As is done every {@link #INTERVAL}. */
  synchronized void look() {
    if (timer.isShutdown()) {
      return;
    }
    try {
      List<HangingTransaction> before = suspected;
      suspected = found();
      say(suspected.stream().filter(one -> before.stream().anyMatch(one::isSame)).toList());
    } catch (RefusedException | KafkaException | IllegalStateException e) {
      LOG.debug("cannot look for hanging transactions", e); // the next look is soon
    }
  }

  private List<HangingTransaction> found() throws RefusedException {
    Cluster asked = cluster.isPresent() ? cluster.get() : new Cluster(settings);
    cluster = Optional.of(asked);
    Map<TopicPartition, Long> before = held;
    held = held(asked);
    Set<TopicPartition> still = new HashSet<>(held.keySet());
    still.removeIf(partition -> !held.get(partition).equals(before.get(partition)));
    return still.isEmpty()
        ? List.of()
        : asked.hanging(pipeline).among(still, HangingTransactions.LONGEST).hanging();
  }

  private Map<TopicPartition, Long> held(Cluster asked) throws RefusedException {
    Set<String> topics = new TreeSet<>(OwnTopics.names(pipeline));
    topics.retainAll(asked.topics().names());
    Collection<TopicPartition> partitions = asked.offsets().partitionsOf(List.copyOf(topics));
    // In this order: what is settled after an end that was seen before is no open transaction.
    Map<TopicPartition, Long> ends = asked.offsets().ends(partitions);
    Map<TopicPartition, Long> settled = new HashMap<>(asked.offsets().committedEnds(partitions));
    settled.entrySet().removeIf(end -> end.getValue() >= ends.get(end.getKey()));
    return settled;
  }

  private void say(List<HangingTransaction> found) {
    Set<String> now =
        found.stream()
            .map(one -> one.partition().toString())
            .collect(Collectors.toCollection(TreeSet::new));
    if (!now.isEmpty() && !now.equals(hanging)) {
      LOG.error(
          "hanging transactions in {}: Kafka ended them and wrote no marker there, so records "
              + "after them are hidden and the pipeline waits (no data lost, no double charge). Do "
              + "not abort them; see {}",
          String.join(", ", now),
          HangingTransaction.PAGE);
    } else if (now.isEmpty() && !hanging.isEmpty()) {
      LOG.warn("no transaction hangs any more in the pipeline's topics");
    }
    hanging = now;
  }

  @Override
  public void close() {
    timer.shutdownNow(); // interrupts a look
    disconnect();
  }

  private synchronized void disconnect() {
    cluster.ifPresent(Cluster::close);
    cluster = Optional.empty();
  }
}
