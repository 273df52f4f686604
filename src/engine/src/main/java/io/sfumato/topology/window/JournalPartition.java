// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.window;

import io.sfumato.release.Plan;
import io.sfumato.topology.budget.PartitionLedgers;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.store.StagedWrites;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * One partition of a journal, as the processor that reads it has it.
 *
 * @param <K> keys of the records that the processor forwards
 * @param plan of the pipeline
 * @param deployment that it runs in
 * @param context of the processor
 * @param commit what the processor puts off until its task commits
 * @param meta identity, cursor and boundaries of the partition
 * @param journal reads the entries
 */
public record JournalPartition<K>(
    Plan plan,
    Deployment deployment,
    ProcessorContext<K, byte[]> context,
    PreCommitHooks commit,
    StagedWrites meta,
    JournalReader journal) {

  /**
   * That of a task.
   *
   * @param commit name of the store that runs what is put off
   * @param meta name of the store of the partition's identity, cursor and boundaries
   * @throws io.sfumato.topology.context.PipelineStopException if the state there is not this
   *     program's to go on with
   */
  static <K> JournalPartition<K> of(
      Plan plan,
      Deployment deployment,
      ProcessorContext<K, byte[]> context,
      String commit,
      String meta) {
    PreCommitHooks work = context.getStateStore(commit);
    StagedWrites facts = work.staged(context, meta);
    return new JournalPartition<>(
        plan,
        deployment,
        context,
        work,
        facts,
        new JournalReader(plan, deployment, sources(deployment, meta), facts, context));
  }

  /** Behind users, each partition of their journal is what a source is to them. */
  private static SourceTopics sources(Deployment deployment, String meta) {
    return meta.equals(Names.META_STORE)
        ? deployment.sources()
        : SourceTopics.of(Names.USERS_JOURNAL, "", deployment.journalPartitions());
  }

  /** Its number, from 0. */
  public int number() {
    return context.taskId().partition();
  }

  /** A store that nobody shares. */
  public StagedWrites staged(String name) {
    return commit.staged(context, name);
  }

  /** The ledgers that are kept here; what is over goes behind the commit in which it ended. */
  public PartitionLedgers ledgers() {
    PartitionLedgers ledgers =
        PartitionLedgers.of(
            staged(Names.LEDGER_STORE),
            meta,
            journal.meta(),
            plan.pipeline().budget().period(),
            journal.lineage().floor());
    beforeCommit("periods", ledgers.past()::commit);
    return ledgers;
  }

  /** Puts work off until the task commits; the same key replaces it where it stands. */
  public void beforeCommit(String key, Runnable work) {
    commit.run(context, key, work);
  }
}
