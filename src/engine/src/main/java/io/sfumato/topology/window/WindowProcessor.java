// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.window;

import io.sfumato.release.Plan;
import io.sfumato.topology.budget.ChargeReport;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.Slices;
import io.sfumato.topology.context.ThreadProgress;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.version.SealState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Runs the state machine of one journal partition. It hands over each entry of the journal, and
 * between entries it processes closed windows in slices. The journal is its only input, so what it
 * forwards is a function of the journal partition, the pipeline file and the noise key: no wall
 * clock, no interleaving, no fresh randomness.
 *
 * @param <K> keys of the records that it forwards
 */
public final class WindowProcessor<K> implements Processor<byte[], byte[], K, byte[]> {
  /** Subjects, or users, in one turn at most, whatever the clock says. */
  private static final int SLICE = 2_000;

  /** Subjects, or users, that are looked up at once. */
  private static final int STEP = 50;

  private static final Duration PUNCTUATION = Duration.ofMillis(10);

  private final Plan plan;
  private final Deployment deployment;
  private final Stage<K> stage;

  private ProcessorContext<K, byte[]> context;
  private ThreadProgress pace;
  private Slices slices;
  private WindowStateMachine machine;
  private ChargeReport count;

  public WindowProcessor(Plan plan, Deployment deployment, Stage<K> stage) {
    this.plan = plan;
    this.deployment = deployment;
    this.stage = stage;
  }

  /**
   * A stage of the topology whose input is a journal.
   *
   * @param <K> keys of the records that it forwards
   * @param commit name of the store that runs work before each commit
   * @param meta name of the store of a partition's identity, cursor and boundaries
   * @param memory for open windows; nothing where they are not kept in memory
   * @param machine makes the state machine of a partition
   */
  public record Stage<K>(
      String commit,
      String meta,
      Optional<OpenMemory.Share> memory,
      Function<JournalPartition<K>, WindowStateMachine> machine) {}

  @Override
  public void init(ProcessorContext<K, byte[]> context) {
    this.context = context;
    pace = ThreadProgress.ofThisThread();
    slices = deployment.watch().slices().get();
    JournalPartition<K> partition =
        JournalPartition.of(plan, deployment, context, stage.commit(), stage.meta());
    machine = stage.machine().apply(partition);
    JournalReader journal = partition.journal();
    count =
        ChargeReport.begin(
            deployment.counts(),
            stage.meta(),
            journal.meta(),
            journal.lineage(),
            machine.ledgers(),
            context,
            partition.commit());
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> punctuate());
    // The last thing: nobody closes what did not begin.
    stage.memory().ifPresent(OpenMemory.Share::join);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    pace.processed();
    reportCommitted();
    machine.journal.read(record, machine);
    slice();
  }

  private void punctuate() {
    reportCommitted();
    count.step();
    slice();
    machine.ledgers().ifPresent(ledgers -> ledgers.past().slice(machine.journal.seal()));
    machine.punctuated();
  }

  /** Reports what is committed: the first thing after a commit. */
  private void reportCommitted() {
    if (machine.progress.isDue()) {
      count.committed();
      machine.committed();
    }
  }

  private void slice() {
    WindowCloser closer = machine.closer();
    if (!closer.isPending() || !slices.begin(context::commit)) {
      return;
    }
    machine.journal.lineage().persist();
    int done = 0;
    while (closer.isPending() && done < SLICE && slices.mayContinue()) {
      done += closer.slice(slices.step(STEP), slices::hasTime);
    }
    machine.progress.decided(done);
    slices.end(closer.isPending());
    closer
        .overBefore()
        .ifPresent(start -> machine.ledgers().ifPresent(ledgers -> ledgers.past().over(start)));
    if (!closer.isPending()) {
      machine.settled();
      if (machine.journal.seal() == SealState.SEALING && !closer.isHeld()) {
        machine.drained(context.currentSystemTimeMs());
        machine.journal.put(SealState.DRAINED);
      }
    }
  }

  @Override
  public void close() {
    stage.memory().ifPresent(OpenMemory.Share::leave);
    if (context != null) {
      deployment.meters().left(context.taskId().partition());
    }
  }
}
