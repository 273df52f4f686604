// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.OutOfDateException;
import io.sfumato.topology.store.PreCommitHooks;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.StreamTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of Kafka Streams that start again, by its own methods. */
class PreCommitHooksTest {
  private static final String COMMIT = "commit";

  @TempDir Path folder;

  /** Which start of the processor did what, in order. */
  private final List<String> done = new ArrayList<>();

  private boolean outOfDate;
  private TopologyTestDriver driver;
  private StreamTask task;

  /** Puts two things off, at every start. */
  private final class PuttingOff implements Processor<byte[], byte[], Void, Void> {
    private int start;

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      int now = ++start;
      PreCommitHooks commit = context.getStateStore(COMMIT);
      commit.run(context, "first", () -> done.add("first of start " + now));
      commit.run(context, "second", () -> done.add("second of start " + now));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {}
  }

  @BeforeEach
  void open() throws Exception {
    LocalState local =
        new Tested() {
          @Override
          public void requireUpToDate() {
            if (outOfDate) {
              throw new OutOfDateException();
            }
          }
        };
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(PreCommitHooks.builder(COMMIT, local));
    builder.stream("in", Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .process(PuttingOff::new, COMMIT);
    Topology topology = builder.build();
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    driver = new TopologyTestDriver(topology, config);
    Field field = TopologyTestDriver.class.getDeclaredField("task");
    field.setAccessible(true);
    task = (StreamTask) field.get(driver);
  }

  private void record() {
    driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new byte[] {1}, new byte[] {2});
  }

  private static Object call(Object on, Class<?> declaring, String name) throws Exception {
    Method method = declaring.getDeclaredMethod(name);
    method.setAccessible(true);
    try {
      return method.invoke(on);
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void shouldDoEverythingOnceInOrder() {
    record();
    assertThat(done).containsExactly("first of start 1", "second of start 1");
  }

  /** Its stores stay open and are not initialised again. */
  @Test
  void shouldForgetWhatAnEarlierStartPutOffWhenATaskResumes() {
    task.suspend();
    task.resume();
    task.completeRestoration(none -> {});
    record();
    assertThat(done).containsExactly("first of start 2", "second of start 2");
  }

  /** Its stores are closed, wiped and initialised again, and its processors are the same. */
  @Test
  void shouldForgetWhatAnEarlierStartPutOffWhenATaskRevives() {
    task.suspend();
    task.closeDirty();
    task.revive();
    task.initializeIfNeeded();
    task.completeRestoration(none -> {});
    record();
    assertThat(done).containsExactly("first of start 2", "second of start 2");
  }

  /** A standby has nothing to put off: its processors are closed. */
  @Test
  void shouldDoNothingForATaskThatBecameAStandby() throws Exception {
    task.suspend();
    call(task, StreamTask.class, "prepareRecycle");
    ((PreCommitHooks) driver.getStateStore(COMMIT)).runNow();
    assertThat(done).isEmpty();
  }

  @Test
  void shouldNotStartInAProcessThatStoodStillForTooLong() {
    task.suspend();
    task.resume();
    outOfDate = true;
    assertThatThrownBy(() -> task.completeRestoration(none -> {}))
        .hasRootCauseInstanceOf(OutOfDateException.class);
  }
}
