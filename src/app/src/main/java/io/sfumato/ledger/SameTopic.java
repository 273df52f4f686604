// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Other budgets that have released about a records' topic of a budget that begins: it would release
 * the topic's history again, and the losses add. What the registries of others say may be forged;
 * it can only make this budget ask for an operator's consent.
 *
 * @param pipeline that begins
 * @param settings of the cluster
 * @param cluster to ask
 */
record SameTopic(Pipeline pipeline, KafkaSettings settings, Cluster cluster) {
  private static final String PREFIX = Pipeline.applicationIdOf("");
  private static final String SUFFIX = Registry.topicOf("").substring(PREFIX.length());

  /**
   * What was found.
   *
   * @param adding budgets whose losses add: they have begun about the topic, and have no account in
   *     common with this one
   * @param announced those that have written the topic down, whether they have begun or not, with
   *     the time, milliseconds since 1970
   * @param unread registries that could not be read
   * @param partial whether the cluster may hide registries from this principal
   */
  record Found(
      List<String> adding, Map<String, Long> announced, List<String> unread, boolean partial) {
    /**
     * Who has written the topic down lately.
     *
     * @param since by their writers' clocks, milliseconds since 1970
     */
    List<String> announcedSince(long since) {
      return announced.entrySet().stream()
          .filter(entry -> entry.getValue() >= since)
          .map(Map.Entry::getKey)
          .toList();
    }

    /** What an operator should know of what was not looked at; nothing if all was. */
    Optional<String> remark(Pipeline pipeline) {
      List<String> parts = new ArrayList<>();
      if (!unread.isEmpty()) {
        parts.add(
            "no right to read, or an open transaction in: "
                + ControlCharEscaper.of(String.join(", ", unread)));
      }
      if (partial) {
        parts.add("registries that this principal may not describe are invisible");
      }
      return parts.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "note: not all registries of other budgets were checked (%s). If another budget has released data of %s, its losses add to those of budget '%s'; grant READ on sfumato-*-registry to check it"
                  .formatted(
                      String.join("; ", parts),
                      pipeline.input().topics().quoted(),
                      pipeline.budget().name()));
    }
  }

  /**
   * Looks at all registries.
   *
   * @param ids of the records' topics
   */
  Found look(Set<String> ids) throws RefusedException {
    List<String> adding = new ArrayList<>();
    Map<String, Long> announced = new TreeMap<>();
    List<String> unread = new ArrayList<>();
    List<AccountClaim> sharing = new ArrayList<>();
    Map<String, String> heirs = new TreeMap<>();
    for (String topic : new TreeSet<>(cluster.topics().visible())) {
      Optional<String> budget = budgetOf(topic);
      if (budget.isEmpty() || budget.get().equals(pipeline.budget().name())) {
        continue;
      }
      try {
        Registry registry = new Registry(settings, budget.get(), Optional.empty());
        RegistryEntries entries = registry.read().all();
        List<RecordsTopic> about =
            registry.about(false).stream().filter(found -> ids.contains(found.id())).toList();
        if (hasCommonAccount(entries)) {
          entries.granted().ifPresent(sharing::add);
          continue;
        }
        if (!about.isEmpty() && !entries.begun().equals(Begun.NOT)) {
          adding.add(budget.get());
          entries.continued().ifPresent(heir -> heirs.put(budget.get(), heir));
        }
        about.forEach(found -> announced.merge(budget.get(), found.at(), Math::max));
      } catch (RefusedException e) {
        unread.add(topic);
      }
    }
    requireCounted(sharing);
    // One ledger under two names: what it loses is told once, by the last.
    heirs.forEach(
        (former, heir) -> {
          if (adding.contains(heir)) {
            adding.remove(former);
          }
        });
    return new Found(adding, announced, unread, cluster.topics().mayHideSome());
  }

  /** The budget whose registry a topic is. */
  static Optional<String> budgetOf(String topic) {
    return topic.startsWith(PREFIX)
            && topic.endsWith(SUFFIX)
            && topic.length() > PREFIX.length() + SUFFIX.length()
        ? Optional.of(topic.substring(PREFIX.length(), topic.length() - SUFFIX.length()))
        : Optional.empty();
  }

  private boolean hasCommonAccount(RegistryEntries entries) {
    Optional<String> mine = pipeline.budget().account().map(AccountSpec::name);
    return mine.isPresent() && mine.equals(entries.granted().map(c -> c.account().name()));
  }

  /** A share whose claim is gone from the log would not be counted. */
  private void requireCounted(List<AccountClaim> sharing) throws RefusedException {
    List<AccountClaim> claims = sharing.isEmpty() ? List.of() : AccountLog.all(settings, cluster);
    for (AccountClaim share : sharing) {
      if (claims.stream().noneMatch(claim -> claim.covers(share))) {
        throw new RefusedException(
            ExitCode.STOPPED,
            "budget '%s' has a share of account '%s' that topic '%s' no longer holds: the topic was deleted, or restored from an older copy. Start that pipeline once, which writes its share again; then start this one"
                .formatted(
                    ControlCharEscaper.of(share.budget()),
                    ControlCharEscaper.of(share.account().name()),
                    AccountLog.TOPIC));
      }
    }
  }

  /** Refuses a start while another budget starts about the same topic. */
  RefusedException together(List<String> others) {
    return new RefusedException(
        ExitCode.FAILED,
        "these budgets on the same %s started less than ten minutes ago or are starting: %s. Both could release the topic's history. Wait ten minutes, then start them one after the other"
            .formatted(
                pipeline.input().topics().quoted(),
                ControlCharEscaper.of(String.join(", ", others))));
  }

  /** Refuses a start that adds losses which nobody accepted. */
  RefusedException refused(List<String> adding) {
    String topic = pipeline.input().topics().quoted();
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "field 'budget.name': budget '%s' is new, but these budgets have started on data of the same %s: %s. Starting would release the topic's history again with new noise, and the losses add up. Use the earlier budget's name; or carry its ledger over (sfumato ledger export, sfumato ledger import); or, if none of them has started yet, name one account in all files (budget.account), which bounds their sum; or, to accept the added loss, start with --accept-added-loss"
            .formatted(
                pipeline.budget().name(), topic, ControlCharEscaper.of(String.join(", ", adding))));
  }
}
