// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when settings of a running pipeline's own topics become dangerous: brokers tell nobody
 * that they delete ledgers. Stops what would lose state in silence, and warns of the rest.
 */
final class SettingsWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

  /** Settings change rarely, and brokers delete what they allow to be deleted after minutes. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Admin admin;
  private final TopicRules rules;
  private final TopicCommand command;

  /** Topics that were seen: what a start saw too is the operator's decision. */
  private final Set<String> seen = new HashSet<>();

  /** Lacks that an operator accepted at the start. */
  private final Set<TopicRules.Lack> accepted = new HashSet<>();

  /** Lacks at the last look, but for those that are accepted. */
  private Set<TopicRules.Lack> known = Set.of();

  private volatile int risks;
  private boolean mayLook = true;

  /** When it looked last, by {@link System#nanoTime}; nothing before the first look. */
  private Optional<Long> last = Optional.empty();

  SettingsWatch(Admin admin, TopicRules rules, TopicCommand command) {
    this.admin = admin;
    this.rules = rules;
    this.command = command;
  }

  /** Number of settings that endanger the pipeline now, but for those accepted at the start. */
  int risks() {
    return risks;
  }

  /**
   * Looks if it is time to; warns of what is new.
   *
   * @return why the pipeline must stop, if it must
   */
  Optional<RefusedException> look()
      throws ExecutionException, TimeoutException, InterruptedException {
    long now = System.nanoTime();
    if (!mayLook || last.isPresent() && now - last.get() < INTERVAL.toNanos()) {
      return Optional.empty();
    }
    last = Optional.of(now);
    return judge(lacks());
  }

  private List<TopicRules.Lack> lacks()
      throws ExecutionException, TimeoutException, InterruptedException {
    List<TopicRules.Lack> lacks = new ArrayList<>();
    for (Map.Entry<ConfigResource, KafkaFuture<Config>> answer :
        admin
            .describeConfigs(rules.topics().stream().map(ClusterCalls::resource).toList())
            .values()
            .entrySet()) {
      String topic = answer.getKey().name();
      try {
        List<TopicRules.Lack> found =
            rules.lacks(topic, answer.getValue().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS));
        if (seen.add(topic)) {
          found.stream().filter(l -> l.harm() == TopicRules.Harm.COPIES).forEach(accepted::add);
        }
        lacks.addAll(found);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AuthorizationException) {
          mayLook = false;
          LOG.warn(
              "the settings of topic {} cannot be watched: a right is missing ({} prints what is"
                  + " needed)",
              topic,
              ClusterCalls.RIGHTS);
          return List.of();
        }
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    lacks.removeAll(accepted);
    return lacks;
  }

  private Optional<RefusedException> judge(List<TopicRules.Lack> lacks) {
    lacks.stream()
        .filter(lack -> !known.contains(lack))
        .filter(lack -> lack.harm() != TopicRules.Harm.DELETES)
        .forEach(
            lack -> LOG.error("settings of the pipeline's topics: {}", lack.sentence(command)));
    known = Set.copyOf(lacks);
    risks = known.size();
    List<String> deletes =
        lacks.stream()
            .filter(lack -> lack.harm() == TopicRules.Harm.DELETES)
            .map(lack -> lack.sentence(command))
            .sorted()
            .toList();
    return deletes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RefusedException(
                ExitCode.STOPPED,
                "settings of the pipeline's topics were changed while it ran: "
                    + String.join("; ", deletes)
                    + ". Run the command and start again: the start reports whether anything "
                    + "was deleted"));
  }
}
