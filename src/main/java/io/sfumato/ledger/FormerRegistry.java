// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What earlier programs wrote of all budgets, unsigned, into one topic. Of a budget that they began
 * it holds until this program has taken it over, and never after.
 */
final class FormerRegistry {
  private static final String SEALED = "sealed/";
  private static final String CONTINUED = "continued/";
  private static final String PIPELINE = "pipeline/";
  private static final String STARTED = "started/";

  private final Map<String, String> sealed = new HashMap<>();
  private final Map<String, String> continued = new HashMap<>();
  private final Map<String, String> pipelines = new HashMap<>();
  private final Map<String, Started> starts = new HashMap<>();
  private final List<Claim> claims = new ArrayList<>();

  private FormerRegistry() {}

  /** Reads it; empty where no earlier program ran. */
  static FormerRegistry read(KafkaSettings settings, Cluster cluster) throws RefusedException {
    return of(
        cluster.topics().isThere(AccountLog.TOPIC)
            ? new SignedLog(settings, AccountLog.TOPIC, "", Optional.empty()).read()
            : List.of());
  }

  /** What these entries say. */
  static FormerRegistry of(List<SignedLog.Entry> entries) {
    FormerRegistry former = new FormerRegistry();
    entries.forEach(former::apply);
    return former;
  }

  private void apply(SignedLog.Entry entry) {
    String key = entry.key();
    if (key.startsWith(SEALED)) {
      sealed.putIfAbsent(key.substring(SEALED.length()), entry.value().path("at").asText());
    } else if (key.startsWith(CONTINUED)) {
      continued.putIfAbsent(key.substring(CONTINUED.length()), entry.value().path("by").asText());
    } else if (key.startsWith(PIPELINE)) {
      pipelines.putIfAbsent(
          key.substring(PIPELINE.length()), entry.value().path("budget").asText());
    } else if (key.startsWith(STARTED)) {
      Started.read(entry.value(), entry.at()).ifPresent(start -> starts.put(start.budget(), start));
    } else {
      AccountLog.claim(entry)
          .filter(claim -> claims.stream().noneMatch(claim::isOfSameBudget))
          .ifPresent(claims::add);
    }
  }

  /** What it says of a budget; a share only if it was granted one. */
  RegistryEntries of(String budget) {
    return new RegistryEntries(
        Optional.ofNullable(sealed.get(budget)),
        Optional.ofNullable(continued.get(budget)),
        Optional.ofNullable(starts.get(budget)),
        granted().stream().filter(claim -> claim.budget().equals(budget)).findFirst(),
        false,
        Begun.NOT,
        Optional.empty(),
        InheritedShare.NONE);
  }

  /**
   * By the rule of those programs: in log order what fits beside those before, all of one period,
   * where a ledger that goes on takes the place of the former.
   */
  private List<Claim> granted() {
    List<Claim> granted = new ArrayList<>();
    for (Claim claim : claims) {
      List<Claim> beside =
          granted.stream()
              .filter(before -> before.account().name().equals(claim.account().name()))
              .filter(before -> !claim.budget().equals(continued.get(before.budget())))
              .toList();
      boolean agrees =
          beside.stream()
              .allMatch(
                  before -> before.agreesWith(claim) && before.period().equals(claim.period()));
      if (agrees && fits(claim, beside)) {
        granted.add(claim);
      }
    }
    return granted;
  }

  private static boolean fits(Claim claim, List<Claim> beside) {
    BigDecimal epsilon = claim.epsilon().value();
    BigDecimal delta = claim.delta().value();
    for (Claim before : beside) {
      epsilon = epsilon.add(before.epsilon().value());
      delta = delta.add(before.delta().value());
    }
    return epsilon.compareTo(claim.account().epsilon().value()) <= 0
        && delta.compareTo(claim.account().delta().value()) <= 0;
  }

  /** The budget that a pipeline first ran on. */
  Optional<String> budgetOf(String pipeline) {
    return Optional.ofNullable(pipelines.get(pipeline));
  }
}
