// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks a cluster, waits for its answer, and says in a sentence why there is none. */
public final class ClusterCalls {
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Between two looks at the cluster. */
  static final Duration RETRY = Duration.ofMillis(100);

  private final Admin admin;
  private final String servers;

  /**
   * @param servers that are asked, for messages
   */
  ClusterCalls(Admin admin, String servers) {
    this.admin = admin;
    this.servers = servers;
  }

  /** A failure of the cluster in words that fit, or the refusal to be thrown. */
  public interface OnFailure<T> {
    /**
     * @param cause what the cluster answered
     * @return what that means; nothing may be null
     * @throws RefusedException if it means nothing good
     */
    T answer(Throwable cause) throws RefusedException;
  }

  /**
   * Waits for an answer.
   *
   * @param what was asked, for the message
   */
  <T> T call(String what, KafkaFuture<T> future) throws RefusedException {
    return call(what, servers, future);
  }

  /**
   * Waits for an answer.
   *
   * @param what was asked, for the message
   * @param servers that were asked, for the message
   */
  public static <T> T call(String what, String servers, KafkaFuture<T> future)
      throws RefusedException {
    return call(
        what,
        servers,
        future,
        cause -> {
          throw refused(what, servers, cause);
        });
  }

  /**
   * Waits for an answer, where some failures are answers.
   *
   * @param what was asked, for the message
   */
  <T> T call(String what, KafkaFuture<T> future, OnFailure<T> failure) throws RefusedException {
    return call(what, servers, future, failure);
  }

  /**
   * Waits for an answer, where some failures are answers.
   *
   * @param what was asked, for the message
   * @param servers that were asked, for the message
   */
  public static <T> T call(String what, String servers, KafkaFuture<T> future, OnFailure<T> failure)
      throws RefusedException {
    try {
      return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return failure.answer(e.getCause());
    } catch (TimeoutException e) {
      throw refused(what, servers, e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /**
   * Asks about topics that exist until every broker that answers knows them: a new topic takes a
   * moment to reach all brokers.
   *
   * @param what is asked, for the message
   * @param question is asked again while a broker does not know a topic; asking twice does no harm
   */
  <T> T callUntilKnown(String what, Supplier<KafkaFuture<T>> question) throws RefusedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      try {
        return question.get().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        boolean unknown = e.getCause() instanceof UnknownTopicOrPartitionException;
        if (!unknown || System.nanoTime() > deadline) {
          throw refused(what, e.getCause());
        }
        Cluster.pause(RETRY);
      } catch (TimeoutException e) {
        throw refused(what, e);
      } catch (InterruptedException e) {
        throw interrupted();
      }
    }
  }

  /** Names of all topics that we may see. */
  Set<String> topics() throws RefusedException {
    return call("list topics", admin.listTopics().names());
  }

  /** Topics that exist. */
  Map<String, TopicDescription> describe(Collection<String> topics) throws RefusedException {
    return callUntilKnown(
        "describe topics " + topics, () -> admin.describeTopics(topics).allTopicNames());
  }

  /** What we may do with a topic that exists; null where the cluster does not say. */
  Set<AclOperation> operations(String topic) throws RefusedException {
    DescribeTopicsOptions asked = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    return callUntilKnown(
            "describe topic " + topic,
            () -> admin.describeTopics(List.of(topic), asked).allTopicNames())
        .get(topic)
        .authorizedOperations();
  }

  /** Settings of topics that exist, by topic. */
  Map<String, Config> settings(Collection<String> topics) throws RefusedException {
    List<ConfigResource> resources = topics.stream().map(ClusterCalls::resource).toList();
    Map<String, Config> settings = new TreeMap<>();
    callUntilKnown("read the topics' settings", () -> admin.describeConfigs(resources).all())
        .forEach((resource, config) -> settings.put(resource.name(), config));
    return settings;
  }

  /** Settings of a topic that exists. */
  Config settings(String topic) throws RefusedException {
    return settings(List.of(topic)).get(topic);
  }

  /** Changes settings of a topic that exists. */
  void set(String topic, Map<String, String> settings) throws RefusedException {
    List<AlterConfigOp> changes =
        settings.entrySet().stream()
            .map(
                setting ->
                    new AlterConfigOp(
                        new ConfigEntry(setting.getKey(), setting.getValue()),
                        AlterConfigOp.OpType.SET))
            .toList();
    call(
        "change the settings of " + topic,
        admin.incrementalAlterConfigs(Map.of(resource(topic), changes)).all());
  }

  static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  /** Where a refusal says which rights are needed. */
  public static final String RIGHTS = "'sfumato doctor FILE --rights PRINCIPAL'";

  RefusedException refused(String what, Throwable cause) {
    return refused(what, servers, cause);
  }

  /**
   * What a failure of the cluster means to whoever asked.
   *
   * @param what was asked
   * @param servers that were asked
   */
  public static RefusedException refused(String what, String servers, Throwable cause) {
    String message =
        "cannot %s at %s: %s. %s".formatted(what, servers, words(cause), advice(cause));
    return isTimeout(cause) || cause instanceof RetriableException
        ? RefusedException.unanswered(ExitCode.REFUSED_CLUSTER, message)
        : new RefusedException(ExitCode.REFUSED_CLUSTER, message);
  }

  private static String advice(Throwable cause) {
    if (cause instanceof AuthorizationException) {
      return "The cluster answers, but a right is missing: " + RIGHTS + " prints what is needed";
    }
    return cause instanceof AuthenticationException refused
        ? Logins.advice(refused)
        : "Check that the cluster is up and --bootstrap-servers is right";
  }

  private static String words(Throwable cause) {
    if (isTimeout(cause)) {
      return "no answer within " + TIMEOUT.toSeconds() + " s";
    }
    if (cause instanceof SslAuthenticationException refused) {
      return Logins.words(refused);
    }
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : message.replaceFirst("\\.+\\s*$", "");
  }

  /** Ours, or Kafka's own. */
  private static boolean isTimeout(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof org.apache.kafka.common.errors.TimeoutException;
  }

  static RefusedException interrupted() {
    Thread.currentThread().interrupt();
    return new RefusedException(ExitCode.FAILED, "interrupted");
  }
}
