// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.contributions.ContributionStateMachine;
import io.sfumato.topology.intake.IntakeProcessor;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.subjects.SubjectStateMachine;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * One processor of the topology without a cluster. Its stores outlive it, so that another run can
 * continue where it stopped.
 */
final class ProcessorRun<K> {
  private final Processor<byte[], byte[], K, byte[]> processor;
  private final String topic;
  private final PreCommitHooks commit;
  private final MockProcessorContext<K, byte[]> context;

  private ProcessorRun(
      Processor<byte[], byte[], K, byte[]> processor,
      String topic,
      String commit,
      Collection<? extends StateStore> stores) {
    this(processor, topic, commit, stores, new MockProcessorContext<>());
  }

  private ProcessorRun(
      Processor<byte[], byte[], K, byte[]> processor,
      String topic,
      String commit,
      Collection<? extends StateStore> stores,
      MockProcessorContext<K, byte[]> context) {
    this.processor = processor;
    this.context = context;
    this.topic = topic;
    this.commit = PreCommitHooks.builder(commit).build();
    context.setCurrentSystemTimeMs(Fixture.NOW);
    stores.forEach(context::addStateStore);
    context.addStateStore(this.commit);
    processor.init(context);
  }

  /** The intake of a source partition. */
  static ProcessorRun<byte[]> intake(Plan plan, Deployment deployment, StateStore sources) {
    return new ProcessorRun<>(
        new IntakeProcessor(plan, deployment), "in", Names.INTAKE_COMMIT, List.of(sources));
  }

  /** The users' keeper of a partition of their journal. */
  static ProcessorRun<byte[]> users(
      Plan plan, Deployment deployment, Collection<? extends StateStore> stores) {
    return new ProcessorRun<>(
        ContributionStateMachine.processor(plan, deployment),
        "journal",
        Names.USERS_COMMIT,
        stores);
  }

  /** The same of a partition by its number, from 0. */
  static ProcessorRun<byte[]> users(
      Plan plan, Deployment deployment, Collection<? extends StateStore> stores, int partition) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    return new ProcessorRun<>(
        ContributionStateMachine.processor(plan, deployment),
        "journal",
        Names.USERS_COMMIT,
        stores,
        new MockProcessorContext<>(config, new TaskId(0, partition), new File("unused")));
  }

  /** The subjects' keeper of a partition of their journal. */
  static ProcessorRun<String> subjects(
      Plan plan, Deployment deployment, Collection<? extends StateStore> stores) {
    return new ProcessorRun<>(
        SubjectStateMachine.processor(plan, deployment), "journal", Names.KEEPER_COMMIT, stores);
  }

  void take(long offset, Record<byte[], byte[]> record) {
    take(new TopicPartition(topic, 0), offset, record);
  }

  /** Takes a record of one of several topics. */
  void take(TopicPartition place, long offset, Record<byte[], byte[]> record) {
    context.setRecordMetadata(place.topic(), place.partition(), offset);
    processor.process(record);
  }

  /** Takes an entry of a journal. */
  void take(long offset, byte[] entry, long timestamp) {
    take(offset, new Record<>(new byte[0], entry, timestamp));
  }

  void punctuate() {
    context.scheduledPunctuators().forEach(p -> p.getPunctuator().punctuate(0));
  }

  void commit() {
    commit.flushCache();
  }

  /** The commit with which a task ends or changes hands, and what follows it. */
  void lastCommit() {
    commit();
    commit.commit(Map.of());
  }

  void close() {
    processor.close();
  }

  /** A record that the processor forwarded to a child. */
  record Forwarded(String child, Object key, long timestamp, byte[] value) {
    JournalEntry entry() {
      return JournalCodec.decode(value);
    }

    @Override
    public String toString() {
      return child + " " + key + " " + timestamp + " " + HexFormat.of().formatHex(value);
    }
  }

  /** Everything forwarded since the last call, but for markers of complete windows. */
  List<Forwarded> forwarded() {
    List<Forwarded> forwarded = new ArrayList<>();
    for (var forward : context.forwarded()) {
      String child = forward.childName().orElse("-");
      if (!child.equals(Names.RELEASED)) {
        forwarded.add(
            new Forwarded(
                child,
                forward.record().key(),
                forward.record().timestamp(),
                forward.record().value()));
      }
    }
    context.resetForwards();
    return forwarded;
  }

  /** Entries of the journal forwarded since the last call, as bytes. */
  List<byte[]> entries() {
    return forwarded().stream()
        .filter(forward -> forward.child().equals(Names.ENTRIES))
        .map(Forwarded::value)
        .toList();
  }
}
