// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.release.Plan;
import io.sfumato.topology.charge.CountReport;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.lineage.ProgressReport;
import io.sfumato.topology.lineage.SealState;
import io.sfumato.topology.lineage.Takeover;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.OpenMemory;
import io.sfumato.topology.setting.Pace;
import io.sfumato.topology.setting.Slices;
import io.sfumato.topology.store.BeforeCommit;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keeps everything private. The journal is its only input, so its outputs are a function of its
 * journal partition, the pipeline file and the noise key: no wall clock, no interleaving, no fresh
 * randomness.
 */
public final class KeeperProcessor implements Processor<byte[], byte[], String, byte[]> {
  /** Bounds one turn of releases, whatever the clock says. */
  private static final int SLICE_SUBJECTS = 2_000;

  /** What is looked up at once. */
  private static final int STEP_SUBJECTS = 50;

  /** Ledgers of an earlier run that are counted at once: a millisecond or two. */
  private static final int CENSUS_LEDGERS = 1_000;

  private static final Duration PUNCTUATION = Duration.ofMillis(10);

  private final Plan plan;
  private final Deployment deployment;
  private final OpenMemory.Share memory;

  private ProcessorContext<String, byte[]> context;
  private Pace pace;
  private Slices slices;
  private Keeper keeper;
  private JournalReader journal;
  private WindowCloser closing;
  private ProgressReport progress;
  private CountReport count;

  public KeeperProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
    this.memory = deployment.memory().share();
  }

  @Override
  public void init(ProcessorContext<String, byte[]> context) {
    this.context = context;
    pace = Pace.ofThisThread();
    slices = deployment.watch().slices().get();
    BeforeCommit commit = context.getStateStore(Names.KEEPER_COMMIT);
    keeper = new Keeper(plan, new KeeperStores(plan, deployment, memory, context, commit), context);
    journal = keeper.journal();
    closing = keeper.closing();
    progress = keeper.progress();
    count =
        CountReport.begin(
            deployment.counts(),
            Names.keeperMeta(plan.pipeline()),
            journal.meta(),
            journal.lineage(),
            keeper.ledgers().counted(),
            context,
            commit);
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> punctuate());
    // The last thing: nobody closes what did not begin.
    memory.join();
  }

  private void punctuate() {
    reportProgress();
    keeper.ledgers().census().ifPresent(counts -> counts.step(CENSUS_LEDGERS));
    count.step();
    slice();
    keeper.ledgers().past().ifPresent(periods -> periods.slice(journal.seal()));
  }

  /** Aggregates of what is committed: the first thing after a commit. */
  private void reportProgress() {
    if (!progress.isDue()) {
      return;
    }
    count.committed();
    int partition = context.taskId().partition();
    keeper.ledgers().census().ifPresent(counts -> counts.report(partition, deployment.meters()));
    Boundaries boundaries = journal.boundaries();
    boundaries
        .foremost()
        .ifPresent(end -> deployment.meters().passed(partition, end, boundaries.closedThrough()));
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    pace.processed();
    reportProgress();
    journal.read(record, keeper);
    slice();
  }

  @Override
  public void close() {
    memory.leave();
    if (context != null) {
      deployment.meters().left(context.taskId().partition());
    }
  }

  private void handOver(Takeover next) {
    journal.lineage().handOver();
    progress.handedOver(next);
  }

  private void slice() {
    if (!closing.isPending()) {
      return;
    }
    if (!slices.begin(context::commit)) {
      return;
    }
    journal.lineage().persist();
    int done = 0;
    while (closing.isPending() && done < SLICE_SUBJECTS && slices.mayContinue()) {
      done += closing.slice(slices.step(STEP_SUBJECTS), slices::hasTime);
    }
    progress.decided(done);
    slices.end(closing.isPending());
    keeper.ledgers().past().ifPresent(periods -> closing.overBefore().ifPresent(periods::over));
    if (!closing.isPending()) {
      keeper.closedThrough().ifPresent(progress::released);
      journal
          .lineage()
          .next()
          .filter(next -> next.from() <= closing.decidedBefore())
          .ifPresent(this::handOver);
      if (journal.seal() == SealState.SEALING && !closing.isHeld()) {
        journal.put(SealState.DRAINED);
      }
    }
  }
}
