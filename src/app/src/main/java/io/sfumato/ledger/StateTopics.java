// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineStopException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The changelogs of an application: where its ledger really lies. */
final class StateTopics {
  private final String ledgers;
  private final String meta;
  private final String sources;

  /** Of the subjects' keepers: the same, unless users have keepers of their own. */
  private final String keepers;

  StateTopics(Pipeline pipeline) {
    String application = pipeline.applicationId();
    this.ledgers = Names.changelogTopic(application, LedgerImage.LEDGERS);
    this.meta = Names.changelogTopic(application, LedgerImage.META);
    this.keepers = Names.changelogTopic(application, LedgerImage.keeperMeta(pipeline));
    this.sources = Names.changelogTopic(application, LedgerImage.SOURCES);
  }

  String ledgers() {
    return ledgers;
  }

  String meta() {
    return meta;
  }

  String sources() {
    return sources;
  }

  List<String> all() {
    return List.of(ledgers, meta, sources);
  }

  /** Whether the application has any state. */
  boolean exist(Cluster cluster) throws RefusedException {
    return cluster.topics().isThere(meta);
  }

  /** Reads the meta store alone, which is small. */
  StateReader readMeta(KafkaSettings settings) throws RefusedException {
    StateReader reader = new StateReader();
    read(settings, List.of(meta), reader);
    return reader;
  }

  /** The same, which is empty where there is no state. */
  StateReader readMeta(KafkaSettings settings, Cluster cluster) throws RefusedException {
    return exist(cluster) ? readMeta(settings) : new StateReader();
  }

  /** Refuses what a state refuses, in the same words. */
  static void require(Runnable check) throws RefusedException {
    ask(
        () -> {
          check.run();
          return Optional.empty();
        });
  }

  /** The same of a question that has an answer. */
  static <T> T ask(Supplier<T> question) throws RefusedException {
    try {
      return question.get();
    } catch (PipelineStopException e) {
      throw new RefusedException(ExitCode.STOPPED, e.getMessage());
    }
  }

  /**
   * Where windows begin by the state, for a file that does not say it; nothing if it has not begun.
   *
   * @param found of {@link #readMeta}
   */
  OptionalLong undecidedFrom(
      StateReader found, KafkaSettings settings, Cluster cluster, int partitions)
      throws RefusedException {
    OptionalLong undecided = keepers(found, settings, cluster).undecidedFrom(partitions);
    return undecided.isPresent() ? undecided : found.sealedAt();
  }

  /** Whether intake has left nothing: no record was read. */
  boolean hasReadNothing(KafkaSettings settings, Cluster cluster) throws RefusedException {
    boolean[] empty = {true};
    if (cluster.topics().isThere(sources)) {
      new OutputReader(settings)
          .read(List.of(sources), OutputReader.Ending.AT_END, record -> empty[0] = false);
    }
    return empty[0];
  }

  /**
   * The meta store of the subjects' keepers, where users have keepers of their own.
   *
   * @param found of {@link #readMeta}
   */
  StateReader keepers(StateReader found, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    if (keepers.equals(meta)) {
      return found;
    }
    return cluster.topics().isThere(keepers) ? readKeepers(settings) : new StateReader();
  }

  /** The meta store of the subjects' keepers. */
  private StateReader readKeepers(KafkaSettings settings) throws RefusedException {
    StateReader reader = new StateReader();
    read(settings, List.of(keepers), reader);
    return reader;
  }

  /**
   * Whether all that is closed is released: by the subjects' keepers too, where there are users.
   */
  boolean isDrained(KafkaSettings settings, int partitions) throws RefusedException {
    if (!readMeta(settings).isDrained(partitions)) {
      return false;
    }
    if (keepers.equals(meta)) {
      return true;
    }
    return readKeepers(settings).isDrained(partitions);
  }

  /** Reads the ledgers, which may be many: see {@link Changelog}. */
  void readLedgers(KafkaSettings settings, ProgressListener stages, Changelog.Reader reader)
      throws RefusedException {
    new Changelog(settings, ledgers).read(stages, reader);
  }

  private void read(KafkaSettings settings, List<String> topics, StateReader reader)
      throws RefusedException {
    new OutputReader(settings)
        .read(
            topics,
            OutputReader.Ending.AT_END,
            record -> {
              reader.meta(record.partition(), record.key(), record.value());
              return true;
            });
  }
}
