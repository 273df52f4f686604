// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.BehindGenesis;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineStopException;
import java.util.Optional;

/**
 * Which programs a partition's state goes through: the one that began it, perhaps with an imported
 * ledger, and the versions that took over. Whoever is not next in line stops.
 */
public final class Lineage {
  private final Plan plan;
  private final Deployment deployment;
  private final MetaStore meta;
  private final StateIdentity.Maker maker;
  private final Optional<ImportedLedger> imported;
  private final BudgetTerms terms;

  /** Empty until the journal has named the state epoch. */
  private Optional<StateIdentity> identity;

  private Optional<VersionHandover> handover;

  /** Whether this program takes over, and the state does not know it yet. */
  private boolean takesOver;

  /** What entries carry that the version before has written, if this program takes over. */
  private Optional<Stamp> former = Optional.empty();

  public Lineage(Plan plan, Deployment deployment, MetaStore meta) {
    this.plan = plan;
    this.deployment = deployment;
    this.meta = meta;
    this.maker = StateIdentity.Maker.of(plan, deployment);
    this.imported = meta.imported();
    this.handover = meta.handover();
    this.identity = meta.identity().map(this::usable);
    this.terms = identity.map(StateIdentity::terms).orElseGet(this::initialTerms);
  }

  /** The state as this program may use it. */
  private StateIdentity usable(StateIdentity found) {
    int mine = maker.version();
    int theirs = found.maker().version();
    if (mine == theirs) {
      found.requireSame(maker, plan);
      return found;
    }
    if (mine < theirs) {
      throw PipelineStopException.wentOnTo(theirs, mine);
    }
    VersionHandover announced =
        handover.orElseThrow(
            () ->
                new PipelineStopException(
                    "pipeline version: the state was made by version %d, the file is version %d; %s"
                        .formatted(theirs, mine, ChangeAdvice.version(theirs, mine))));
    announced.requireReadyFor(maker, plan, theirs);
    meta.cut().ifPresent(cut -> cut.require(plan.pipeline(), announced.from()));
    takesOver = true;
    former = Optional.of(found.maker().stamp());
    return found.takenOver(maker, plan, announced.from());
  }

  private BudgetTerms initialTerms() {
    return imported
        .map(l -> l.terms().extended(plan, l.floor()))
        .orElseGet(() -> BudgetTerms.of(plan));
  }

  /** Remembers that this version has nothing left to release. */
  public void handOver() {
    VersionHandover next = handover.orElseThrow();
    if (!next.ready()) {
      handover = Optional.of(next.nowReady());
      meta.put(next.nowReady());
    }
  }

  /** Remembers a takeover before anything else is written. */
  public void persist() {
    if (takesOver) {
      meta.put(identity.orElseThrow());
      former.ifPresent(meta::putFormer);
      meta.deleteTakeover();
      handover = Optional.empty();
      takesOver = false;
    }
  }

  /** Whether the journal has named the state epoch. */
  public boolean begun() {
    return identity.isPresent();
  }

  /**
   * The first genesis of the journal gives the state its epoch, before any release.
   *
   * @param timestamp of the entry, milliseconds since 1970
   */
  public void beginWith(JournalEntry entry, long timestamp) {
    if (entry instanceof Genesis genesis) {
      begin(genesis.epoch(), timestamp);
    } else if (entry instanceof BehindGenesis) {
      // Only other topics may be ahead of the first record.
      throw new PipelineStopException(
          "this partition's state is empty although its journal is not: the changelog was lost "
              + "or reset. Releasing again would spend the budget twice; restore the changelog, "
              + "or start a new budget with --accept-added-loss");
    }
  }

  /** Names the state's life. */
  private void begin(StateEpoch epoch, long timestamp) {
    if (plan.pipeline().window().lacksBegin() && imported.isEmpty()) {
      throw PipelineStopException.withoutBegin();
    }
    StateIdentity first =
        new StateIdentity(epoch, since(), maker.keeping(plan, since(), timestamp), terms);
    meta.put(first);
    meta.putBeginOfStamps();
    identity = Optional.of(first);
  }

  /** Takes in that a version will take over; an older one than this is passed over. */
  public boolean announce(Activation activation, long from) {
    if (activation.version() <= maker.version()) {
      return false;
    }
    VersionHandover next =
        new VersionHandover(
            activation.version(), from, activation.digest(), activation.noiseKey(), false);
    meta.put(next);
    WindowCut.at(plan.pipeline(), from).ifPresent(meta::put);
    handover = Optional.of(next);
    return true;
  }

  /** No version takes over any more; says whether one was to. */
  public boolean withdraw() {
    if (takesOver || handover.isEmpty()) {
      return false;
    }
    meta.deleteTakeover();
    handover = Optional.empty();
    return true;
  }

  /** What shares were granted, and what charges cost. */
  public BudgetTerms terms() {
    return terms;
  }

  /** The state's life, which has begun. */
  public StateEpoch epoch() {
    return identity.orElseThrow().epoch();
  }

  /** Where the ledger that this state began with was sealed. */
  public LedgerFloor floor() {
    return imported.map(ledger -> new LedgerFloor(ledger.floor())).orElse(LedgerFloor.NONE);
  }

  /** Start of the first window that this program may release. */
  public long since() {
    return identity
        .map(StateIdentity::since)
        .or(() -> imported.map(ImportedLedger::floor))
        .orElse(Long.MIN_VALUE);
  }

  /** The version that will take over, if one was announced. */
  public Optional<VersionHandover> next() {
    return takesOver ? Optional.empty() : handover;
  }

  /** Start of the first window of the version that will take over, if one was announced. */
  public Optional<Long> end() {
    return next().map(VersionHandover::from);
  }
}
