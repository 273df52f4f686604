// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.users;

import io.sfumato.release.Plan;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.lineage.ProgressReport;
import io.sfumato.topology.lineage.SealState;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Pace;
import io.sfumato.topology.setting.Slices;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keeps the users of a population pipeline, before their records reach any subject: when a window
 * closes it decides which of a user's records count, charges the user's ledger once for all
 * outputs, and passes what counts on to the subjects' journal, all in one transaction. What it
 * decides of a user depends on this user's own records and ledger alone, so that one user more or
 * less changes nothing of any other's.
 *
 * <p>To the subjects' keepers each of its partitions is what a source partition is to it: a
 * genesis, records, and boundaries after which nothing follows.
 */
public final class UserKeeperProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** Bounds one turn, whatever the clock says. */
  private static final int SLICE_USERS = 2_000;

  private static final int STEP_USERS = 50;

  private static final Duration PUNCTUATION = Duration.ofMillis(10);

  private final Plan plan;
  private final Deployment deployment;

  private ProcessorContext<byte[], byte[]> context;
  private Pace pace;
  private Slices slices;
  private UserKeeper keeper;
  private JournalReader journal;
  private UserWindowCloser passedOn;
  private ProgressReport progress;

  public UserKeeperProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    pace = Pace.ofThisThread();
    slices = deployment.watch().slices().get();
    keeper = new UserKeeper(plan, deployment, context);
    journal = keeper.journal();
    passedOn = keeper.passedOn();
    progress = keeper.progress();
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> punctuate());
  }

  private void reportProgress() {
    if (progress.isDue()) {
      keeper.count().committed();
    }
  }

  private void punctuate() {
    reportProgress();
    keeper.count().step();
    slice();
    keeper.slicePast();
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
    if (context != null) {
      deployment.meters().left(context.taskId().partition());
    }
  }

  private void slice() {
    if (!passedOn.isPending()) {
      return;
    }
    if (!slices.begin(context::commit)) {
      return;
    }
    journal.lineage().persist();
    int done = 0;
    while (passedOn.isPending() && done < SLICE_USERS && slices.mayContinue()) {
      done += passedOn.slice(slices.step(STEP_USERS), slices::hasTime);
    }
    slices.end(passedOn.isPending());
    passedOn.through().ifPresent(keeper::over);
    if (!passedOn.isPending() && journal.seal() == SealState.SEALING) {
      keeper.drain(context.currentSystemTimeMs());
    }
  }
}
