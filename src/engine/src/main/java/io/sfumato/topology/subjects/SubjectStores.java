// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.roster.ListedSubjects;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.selection.NameStore;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.window.JournalPartition;
import java.util.Optional;

/** Stores of subjects, each with what it has to do before a commit. */
record SubjectStores(JournalPartition<String> task, OpenMemory.Share memory) {
  /** Datasets have writes of their own to hand over first. */
  DatasetStore datasets() {
    StagedWrites store = new StagedWrites(task.context().getStateStore(Names.DATASET_STORE));
    DatasetStore made = new DatasetStore(store, new Contents.Layout(pipeline()), memory::bytes);
    task.beforeCommit("datasets", made::write);
    task.beforeCommit(Names.DATASET_STORE, store::flush);
    return made;
  }

  /** Names that nobody listed; their counts are handed over first. */
  NameStore names() {
    NameStore made =
        new NameStore(new StagedWrites(task.context().getStateStore(Names.NAME_STORE)));
    task.beforeCommit(Names.NAME_STORE, made::flush);
    return made;
  }

  /** Who is enrolled; nothing where the file has a list. */
  Optional<SubjectStore> enrolled() {
    return pipeline().subjects() == Subjects.LISTED
        ? Optional.empty()
        : Optional.of(new SubjectStore(task.staged(Names.SUBJECT_STORE)));
  }

  /** The file's list. */
  Roster listed() {
    return ListedSubjects.of(
        pipeline().listed(), task.deployment().journalPartitions(), task.number());
  }

  private Pipeline pipeline() {
    return task.plan().pipeline();
  }
}
