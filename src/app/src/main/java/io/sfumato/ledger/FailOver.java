// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.UnspentWindows;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.StampedBy;
import io.sfumato.runtime.TemporaryFolder;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.LedgerImage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lets a new budget begin where a former one's ledger is lost or cannot be trusted, as after a
 * fail-over to a mirrored cluster. Every window before a public time counts as spent, and with it
 * every period that holds such a window (docs/theory/periods-and-accounts.md, Theorem V). The new
 * budget imports a ledger without charges whose floor is the first window after that.
 */
public final class FailOver {
  private static final String FOLDER = "sfumato-fail-over-";

  private final Former former;
  private final Plan plan;
  private final KafkaSettings settings;
  private final NoiseKey key;
  private final Cluster.Safety safety;

  /**
   * What is known of the former budget.
   *
   * @param plan of its last file
   * @param stoppedAt when none of its instances ran any more, by the operator's word
   * @param spentUntil time before which everything counts as spent; the earliest one if absent
   * @param stampedByBrokers whether brokers stamped its records when they appended them
   */
  public record Former(
      Plan plan, Instant stoppedAt, Optional<Instant> spentUntil, boolean stampedByBrokers) {
    private Pipeline pipeline() {
      return plan.pipeline();
    }

    private String budget() {
      return pipeline().budget().name();
    }

    /** No window could be released later that ends after this time. */
    private Instant furthest() {
      Duration ahead = pipeline().window().maxAhead();
      Instant furthest = stoppedAt.plus(ahead);
      return stampedByBrokers ? furthest : furthest.plus(StampedBy.mostAhead(ahead));
    }
  }

  /**
   * What was found, or done.
   *
   * @param spentUntil everything before it counts as spent
   * @param firstWindow start of the first window that can be released
   * @param seenUntil end of the last window of the former budget that the cluster shows, if any
   * @param isNew whether it was not done before; true also if nothing was to be written
   */
  public record Outcome(
      Instant spentUntil, Instant firstWindow, Optional<Instant> seenUntil, boolean isNew) {}

  /**
   * @param plan of the pipeline that continues
   * @param settings of the cluster that it runs on
   * @param key that it draws with: it signs the seal of the former budget on this cluster
   */
  public FailOver(
      Former former, Plan plan, KafkaSettings settings, NoiseKey key, Cluster.Safety safety) {
    this.former = former;
    this.plan = plan;
    this.settings = settings;
    this.key = key;
    this.safety = safety;
  }

  /** Checks everything and writes nothing. */
  public Outcome check() throws RefusedException {
    try (TemporaryFolder folder = TemporaryFolder.make(FOLDER);
        Cluster cluster = new Cluster(settings)) {
      return checked(cluster, folder.path()).outcome(true);
    }
  }

  /**
   * Seals the former budget on this cluster and lets the new one begin.
   *
   * @throws RefusedException if anything could be spent twice; nothing was written then
   */
  public Outcome apply() throws RefusedException {
    try (TemporaryFolder folder = TemporaryFolder.make(FOLDER);
        Cluster cluster = new Cluster(settings)) {
      Checked checked = checked(cluster, folder.path());
      seal(cluster);
      LedgerImport route = new LedgerImport(plan, settings, key, safety);
      boolean isNew = route.importFrom(checked.file) == LedgerImport.Outcome.IMPORTED;
      Outcome outcome = checked.outcome(isNew);
      new Registry(settings, plan.pipeline().budget().name(), Optional.of(key))
          .spent(entry(outcome));
      return outcome;
    }
  }

  /**
   * What holds before anything is written to the cluster.
   *
   * @param file with a ledger that has no charges
   */
  private record Checked(LedgerFile file, Instant until, long floor, FormerTraces traces) {
    Outcome outcome(boolean isNew) {
      Optional<Instant> seen =
          traces.releasedUntil().isPresent()
              ? Optional.of(Instant.ofEpochMilli(traces.releasedUntil().getAsLong()))
              : Optional.empty();
      return new Outcome(until, Instant.ofEpochMilli(floor), seen, isNew);
    }
  }

  private Checked checked(Cluster cluster, Path folder) throws RefusedException {
    requireNoAccount();
    requireSameWindows();
    requireStopped(cluster);
    FormerTraces traces = FormerTraces.read(former.pipeline(), settings, cluster);
    Instant until = spentUntil(traces);
    LedgerImage image = LedgerImage.of(former.plan(), firstUnspent(until));
    LedgerFacts facts =
        new LedgerFacts(
            former.budget(), image, "", "", Optional.of(LedgerFacts.Destination.of(plan)));
    LedgerFile file = LedgerFile.write(folder.resolve("spent.ledger"), facts, reader -> {});
    // Not sealed yet, it may still seem to run here; sealed, this command was cut short or done.
    boolean isSealed =
        new BudgetAncestry(settings, cluster, Optional.of(key)).ended(former.budget()).isPresent();
    LedgerImage carried =
        new CarryOver(plan, settings, cluster, key, safety)
            .require(
                isSealed
                    ? CarryOver.Source.of(file)
                    : new CarryOver.Source(facts, Optional.empty(), Optional.empty()));
    return new Checked(file, until, carried.floor(), traces);
  }

  /** Windows of the former budget are told from those to come by their starts alone. */
  private void requireSameWindows() throws RefusedException {
    if (!former.pipeline().window().grid().equals(plan.pipeline().window().grid())) {
      throw refused(
          "the new file has other windows than the former one, so windows before and after the time"
              + " would overlap: restore window.size, window.origin and window.zone. To change"
              + " them, carry the ledger over afterwards (sfumato ledger export, sfumato ledger"
              + " import)");
    }
  }

  /** Other budgets of the account may have been granted shares that this cluster does not show. */
  private void requireNoAccount() throws RefusedException {
    for (Pipeline pipeline : new Pipeline[] {former.pipeline(), plan.pipeline()}) {
      if (pipeline.budget().account().isPresent()) {
        throw refused(
            "budget '%s' has a share of account '%s', and this cluster may not show every share that the account granted. Choose new names for the pipeline, its budget and its account, let window.begin be a time at which the longest period of the account, twice window.max-ahead and an hour have passed since the former instances stopped, and start with --accept-added-loss"
                .formatted(
                    pipeline.budget().name(), pipeline.budget().account().orElseThrow().name()));
      }
    }
  }

  private void requireStopped(Cluster cluster) throws RefusedException {
    if (cluster.groups().hasMembers(former.pipeline().applicationId())) {
      throw refused(
          "instances of '%s' are running on this cluster: stop them first"
              .formatted(former.pipeline().applicationId()));
    }
  }

  private long firstUnspent(Instant until) throws RefusedException {
    OptionalLong first =
        UnspentWindows.first(
            until.toEpochMilli(),
            former.pipeline().budget().period(),
            former.pipeline().window().grid());
    if (first.isEmpty()) {
      throw refused(
          "budget '%s' is for all time (period: lifetime), so all of it counts as spent. To release more, choose new names for the pipeline and its budget and start with --accept-added-loss: the new loss adds to the former one"
              .formatted(former.budget()));
    }
    return first.getAsLong();
  }

  private Instant spentUntil(FormerTraces traces) throws RefusedException {
    if (traces.written().isPresent()
        && traces.written().getAsLong() > former.stoppedAt().toEpochMilli()) {
      throw refused(
          "the former pipeline wrote at %s, later than --stopped-at %s: give the time from which none of its instances ran"
              .formatted(Instant.ofEpochMilli(traces.written().getAsLong()), former.stoppedAt()));
    }
    Instant furthest = former.furthest();
    Instant seen = Instant.ofEpochMilli(traces.releasedUntil().orElse(Long.MIN_VALUE));
    Instant earliest = seen.isAfter(furthest) ? seen : furthest;
    Instant until = former.spentUntil().orElse(earliest);
    if (until.isBefore(seen)) {
      throw refused(
          "--spent-until %s is too early: a window of budget '%s' up to %s was released or closed. The earliest time is %s"
              .formatted(until, ControlCharEscaper.of(former.budget()), seen, earliest));
    }
    if (until.isBefore(earliest)) {
      throw refused(
          "--spent-until %s is too early: until it stopped at %s, the former pipeline may have released windows up to %s (window.max-ahead%s). That is the earliest time"
              .formatted(
                  until,
                  former.stoppedAt(),
                  earliest,
                  former.stampedByBrokers()
                      ? ""
                      : ", and how far timestamps of producers may be ahead; leave that out with"
                          + " --append-time if the former topic had"
                          + " message.timestamp.type=LogAppendTime"));
    }
    return until;
  }

  /** Nobody starts the former budget on this cluster any more, whatever was mirrored of it. */
  private void seal(Cluster cluster) throws RefusedException {
    Registry registry = new Registry(settings, former.budget(), Optional.of(key));
    registry.create(cluster);
    registry.open();
    registry.seal(former.stoppedAt().toString(), Optional.of(plan.pipeline().budget().name()));
  }

  private ObjectNode entry(Outcome outcome) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("former", former.budget())
        .put("stopped-at", former.stoppedAt().toString())
        .put("spent-until", outcome.spentUntil().toString())
        .put("first-window", outcome.firstWindow().toString());
  }

  private static RefusedException refused(String why) {
    return new RefusedException(ExitCode.STOPPED, why + ". Nothing was changed");
  }
}
