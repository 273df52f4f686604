// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.ImportCompleteness;
import io.sfumato.ledger.Registry;
import io.sfumato.ledger.StartObstacles;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.RunningVersion;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a budget's ledger can go on here: sealed, cut short by an import, or another key's.
 *
 * @param key that the budget's entries can be told genuine with, if there is one
 */
record LedgerCheck(Pipeline pipeline, KafkaSettings settings, Optional<NoiseKey> key) {
  /**
   * Looks.
   *
   * @param held topics that a transaction stays open in
   */
  List<Finding> findings(AdminQueries questions, TopicsSeen topics, Set<String> held)
      throws RefusedException {
    String budget = pipeline.budget().name();
    String subject = "budget " + budget;
    String registry = Registry.topicOf(budget);
    String meta = Names.changelogTopic(pipeline.applicationId(), LedgerImage.META);
    boolean seals = topics.canRead(subject, List.of(registry), questions);
    boolean state = topics.canRead(subject, List.of(meta), questions);
    List<Finding> findings = new ArrayList<>();
    if (seals && held.contains(registry)) {
      // To wait for it would keep the rest waiting for half a minute, and then refuse.
      seals = false;
      findings.add(
          Finding.warning(
              subject,
              "not checked (seal and noise key): a transaction is open in " + registry,
              "run doctor again when it has ended"));
    }
    try (Cluster cluster = new Cluster(settings)) {
      if (seals) {
        findings.addAll(Check.at(subject, () -> entries(cluster, state)));
      }
      if (state) {
        findings.addAll(Check.at(subject, () -> cutShort(cluster)));
      }
    }
    if (seals && state && findings.stream().noneMatch(found -> found.subject().equals(subject))) {
      findings.add(
          Finding.ok(
              subject,
              topics.hasInternal()
                  ? "has a ledger here"
                  : "does not exist yet: the first run " + "creates it"));
    }
    return findings;
  }

  /** What the registry says that a run would refuse. */
  private List<Finding> entries(Cluster cluster, boolean state) throws RefusedException {
    String budget = pipeline.budget().name();
    List<Finding> findings = new ArrayList<>();
    if (key.isPresent() && state) {
      wrongKey(key.get(), cluster).ifPresent(findings::add);
    }
    if (state) {
      StartObstacles.lostState(pipeline, settings, cluster)
          .map(
              why ->
                  Finding.problem(
                      "budget " + budget,
                      why,
                      "docs/operate/backup.md, 'When topics of the state are gone'"))
          .ifPresent(findings::add);
      StartObstacles.awaited(
              budget, settings, cluster, ImportCompleteness.state(pipeline, settings, cluster))
          .map(
              from ->
                  Finding.problem(
                      "budget " + budget,
                      "it continues the ledger of '" + from + "', which is not imported yet",
                      "import it: sfumato ledger import"))
          .ifPresent(findings::add);
    }
    if (Continuity.isEnded(budget, settings, cluster, key)) {
      findings.add(
          Finding.problem(
              "budget " + budget,
              "its ledger is sealed: it was exported",
              "run the pipeline that imported it, or import it: sfumato ledger import"));
    }
    return findings;
  }

  private List<Finding> cutShort(Cluster cluster) throws RefusedException {
    return ImportCompleteness.cutShort(pipeline, settings, cluster).stream()
        .map(
            cut ->
                Finding.problem(
                    "budget " + pipeline.budget().name(),
                    cut,
                    "finish the import: sfumato ledger import"))
        .toList();
  }

  /** What a run would refuse the secret for, and nothing else tells before. */
  private Optional<Finding> wrongKey(NoiseKey key, Cluster cluster) throws RefusedException {
    String budget = pipeline.budget().name();
    StateReader state = ImportCompleteness.state(pipeline, settings, cluster);
    return KeyCheck.of(
        budget,
        key.tag(),
        new Registry(settings, budget, Optional.of(key)).read(cluster),
        state.runningVersion().map(RunningVersion::noiseKey),
        state.announcedKey());
  }
}
