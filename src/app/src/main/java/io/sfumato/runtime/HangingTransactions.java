// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/**
 * Asks a cluster which transactions hang in the topics of a pipeline: the partitions' leaders, then
 * the coordinators, then the leaders again.
 */
public final class HangingTransactions {
  /** Brokers' default of {@code transaction.max.timeout.ms}. */
  public static final Duration LONGEST = Duration.ofMinutes(15);

  /** A partition without a leader has no answer, and keeps the others' waiting. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** In which coordinators keep what they know: each partition's leader is one. */
  private static final String LOG = "__transaction_state";

  /** Brokers' default of {@code transaction.state.log.num.partitions}. */
  private static final int DEFAULT_COORDINATORS = 50;

  private final Admin admin;
  private final String servers;
  private final String applicationId;

  /**
   * What a cluster answers.
   *
   * @param hanging transactions, by partition
   * @param unread topics whose producers it does not describe: READ is missing, or a leader
   * @param hasHiddenIds whether there is an open transaction of a producer whose transactional id
   *     may be hidden, since DESCRIBE on the pipeline's own is missing
   */
  public record Answer(
      List<HangingTransaction> hanging, Set<String> unread, boolean hasHiddenIds) {}

  /**
   * @param servers that are asked, for messages
   * @param applicationId of the pipeline
   */
  public HangingTransactions(Admin admin, String servers, String applicationId) {
    this.admin = admin;
    this.servers = servers;
    this.applicationId = applicationId;
  }

  /**
   * Looks into some partitions.
   *
   * @param longest that a transaction lives, if its coordinator does not say
   * @throws RefusedException if the coordinators do not answer
   */
  public Answer among(Set<TopicPartition> partitions, Duration longest) throws RefusedException {
    Set<String> unread = new TreeSet<>();
    List<HangingTransaction> open = open(partitions, unread);
    if (open.isEmpty()) {
      return new Answer(List.of(), unread, false);
    }
    Set<Long> producers = producers(open);
    Map<Long, TransactionDescription> known = coordinated(producers);
    boolean isHidden = !known.keySet().containsAll(producers) && !maySeeTransactionalIds();
    long now = System.currentTimeMillis();
    List<HangingTransaction> suspected =
        open.stream()
            .map(one -> one.coordinatedBy(known))
            .filter(one -> one.coordinated().isPresent() || !isHidden)
            .filter(one -> one.isHanging(longest, now))
            .toList();
    return new Answer(stillOpen(suspected, unread), unread, isHidden);
  }

  private static Set<Long> producers(Collection<HangingTransaction> transactions) {
    return transactions.stream()
        .map(one -> one.producer().producerId())
        .collect(Collectors.toSet());
  }

  private List<HangingTransaction> stillOpen(List<HangingTransaction> suspected, Set<String> unread)
      throws RefusedException {
    if (suspected.isEmpty()) {
      return suspected;
    }
    Set<TopicPartition> again =
        suspected.stream().map(HangingTransaction::partition).collect(Collectors.toSet());
    List<HangingTransaction> now = open(again, unread);
    return suspected.stream().filter(one -> now.stream().anyMatch(one::isSame)).toList();
  }

  /** Every transaction that is open in a partition, whether it hangs or not; no coordinator yet. */
  private List<HangingTransaction> open(Set<TopicPartition> partitions, Set<String> unread)
      throws RefusedException {
    DescribeProducersOptions options = new DescribeProducersOptions();
    options.timeoutMs((int) PATIENCE.toMillis());
    DescribeProducersResult answers = admin.describeProducers(partitions, options);
    List<HangingTransaction> open = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      List<ProducerState> producers =
          ClusterCalls.call(
              "describe the producers of " + partition,
              servers,
              answers
                  .partitionResult(partition)
                  .thenApply(DescribeProducersResult.PartitionProducerState::activeProducers),
              cause -> {
                unread.add(partition.topic());
                return List.of();
              });
      producers.stream()
          .filter(producer -> producer.currentTransactionStartOffset().isPresent())
          .map(producer -> new HangingTransaction(partition, producer, Optional.empty()))
          .forEach(open::add);
    }
    return open;
  }

  /** What coordinators say of producers, as far as they know them and may tell. */
  private Map<Long, TransactionDescription> coordinated(Set<Long> producers)
      throws RefusedException {
    Map<Long, TransactionDescription> known = listed(producers);
    if (known.keySet().containsAll(producers)) {
      return known;
    }
    awaitCoordinators();
    return listed(producers);
  }

  private Map<Long, TransactionDescription> listed(Set<Long> producers) throws RefusedException {
    Collection<TransactionListing> listed =
        ClusterCalls.call(
            "list transactions",
            servers,
            admin
                .listTransactions(new ListTransactionsOptions().filterProducerIds(producers))
                .all());
    Map<Long, TransactionDescription> known = new HashMap<>();
    for (TransactionListing one : listed) {
      describe(one.transactionalId())
          .ifPresent(description -> known.put(one.producerId(), description));
    }
    return known;
  }

  /**
   * A broker that has just become a coordinator has not loaded its transactions, and leaves them
   * out of its list without a word. Asked about one id, each coordinator answers when it has.
   */
  private void awaitCoordinators() throws RefusedException {
    int coordinators = coordinators();
    Set<Integer> asked = new HashSet<>();
    for (int number = 0; asked.size() < coordinators; number++) {
      String id = TransactionalIds.of(applicationId, "none-" + number);
      if (asked.add((id.hashCode() & Integer.MAX_VALUE) % coordinators)) {
        ask(id, known -> true, true, Optional.of(false));
      }
    }
  }

  /** Partitions of their log, or as many as it has by default where it may not be described. */
  private int coordinators() throws RefusedException {
    return ClusterCalls.call(
        "describe " + LOG,
        servers,
        admin
            .describeTopics(Set.of(LOG))
            .topicNameValues()
            .get(LOG)
            .thenApply(log -> log.partitions().size()),
        cause -> {
          if (cause instanceof AuthorizationException) {
            return DEFAULT_COORDINATORS;
          }
          throw ClusterCalls.refused("describe " + LOG, servers, cause);
        });
  }

  private Optional<TransactionDescription> describe(String transactionalId)
      throws RefusedException {
    return ask(transactionalId, Optional::of, Optional.empty(), Optional.empty());
  }

  /** Lists leave out what may not be seen, and do not say so: a question about one id does. */
  private boolean maySeeTransactionalIds() throws RefusedException {
    return ask(TransactionalIds.of(applicationId, "none"), known -> true, true, Optional.of(false));
  }

  /**
   * Asks a coordinator about one transactional id.
   *
   * @param unknown answer if there is none
   * @param forbidden answer if it may not tell; without one that is a refusal
   */
  private <T> T ask(
      String id,
      KafkaFuture.BaseFunction<TransactionDescription, T> known,
      T unknown,
      Optional<T> forbidden)
      throws RefusedException {
    return ClusterCalls.call(
        "describe a transaction",
        servers,
        admin.describeTransactions(Set.of(id)).description(id).thenApply(known),
        cause -> {
          if (cause instanceof TransactionalIdNotFoundException) {
            return unknown;
          }
          if (cause instanceof AuthorizationException && forbidden.isPresent()) {
            return forbidden.get();
          }
          throw ClusterCalls.refused("describe a transaction", servers, cause);
        });
  }
}
