// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.release.Plan;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.names.NameStore;
import io.sfumato.topology.roster.ListedSubjects;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.OpenMemory;
import io.sfumato.topology.store.BeforeCommit;
import io.sfumato.topology.store.StagedStore;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/** A keeper's stores, each with what it has to do before a commit. */
record KeeperStores(
    Plan plan,
    Deployment deployment,
    OpenMemory.Share memory,
    ProcessorContext<?, ?> context,
    BeforeCommit commit) {
  /** One that nobody shares. */
  StagedStore staged(String name) {
    return commit.staged(context, name);
  }

  /** Datasets have writes of their own to hand over first. */
  DatasetStore datasets() {
    StagedStore store = new StagedStore(context.getStateStore(Names.DATASET_STORE));
    DatasetStore made =
        new DatasetStore(store, new Contents.Layout(plan.pipeline()), memory::bytes);
    commit.run(context, "datasets", made::write);
    commit.run(context, Names.DATASET_STORE, store::flush);
    return made;
  }

  /** Names that nobody listed; their counts are handed over first. */
  NameStore names() {
    NameStore made = new NameStore(new StagedStore(context.getStateStore(Names.NAME_STORE)));
    commit.run(context, Names.NAME_STORE, made::flush);
    return made;
  }

  /** Who is enrolled; nothing where the file has a list. */
  Optional<SubjectStore> enrolled() {
    return plan.pipeline().subjects() == Subjects.LISTED
        ? Optional.empty()
        : Optional.of(new SubjectStore(staged(Names.SUBJECT_STORE)));
  }

  /** The file's list. */
  Roster listed() {
    return ListedSubjects.of(
        plan.pipeline().listed(), deployment.sourcePartitions(), context.taskId().partition());
  }
}
