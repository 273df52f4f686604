// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.store;

import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.OutOfDateException;
import io.sfumato.topology.context.ThreadProgress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * Does what processors put off until their task commits, as part of the same transaction. A store
 * without state: Kafka Streams tells only record caches in time, through an internal interface
 * ({@link StateStore#commit} comes after the transaction). Stores that such work writes to must
 * have no record cache, which might have been emptied before.
 *
 * <p>A task may start again with the processors and stores that it had (Kafka Streams 4.3.1, {@code
 * StreamTask}, {@code AbstractTask}), so {@code init} of a processor may come many times, and the
 * last one alone counts:
 *
 * <ul>
 *   <li><b>revive</b>, after a corruption or a commit that timed out: processors and stores are
 *       closed, the folder is wiped, stores are initialised again, restored, then the same
 *       processors;
 *   <li><b>resume</b>, of a task that a rebalance suspended and gave back: processors are closed
 *       and initialised again; <b>stores stay open</b> and are not;
 *   <li><b>recycle</b>, between active and standby: the same topology goes to a new task;
 *       processors are closed, and initialised when it is active again; <b>stores stay open</b>,
 *       only their caches are cleared.
 * </ul>
 */
public final class PreCommitHooks implements StateStore, CachedStateStore<byte[], byte[]> {
  private final String name;
  private final LocalState local;

  /** In the order in which it was first registered. */
  private final Map<String, Runnable> work = new LinkedHashMap<>();

  /** What follows a commit that is enforced, such as the last one of a task. */
  private final Map<String, Runnable> after = new LinkedHashMap<>();

  private boolean open;

  private PreCommitHooks(String name, LocalState local) {
    this.name = name;
    this.local = local;
  }

  /**
   * Work that a processor puts off, from its {@code init}; done in the order of these calls.
   *
   * @param key within the processor: work under the same key is replaced, where it stands
   * @throws OutOfDateException if this process stood still for too long to go on
   */
  public void run(ProcessorContext<?, ?> context, String key, Runnable task) {
    local.requireUpToDate();
    if (context instanceof InternalProcessorContext<?, ?> internal) {
      ProcessorNode<?, ?, ?, ?> node = internal.currentNode();
      work.put(
          node.name() + "/" + key,
          () -> {
            // Only a processor's node may forward.
            ProcessorNode<?, ?, ?, ?> before = internal.currentNode();
            internal.setCurrentNode(node);
            try {
              task.run();
            } finally {
              internal.setCurrentNode(before);
            }
          });
    } else {
      work.put(key, task);
    }
  }

  /**
   * Work that follows the commit with which a task ends or changes hands. With exactly-once
   * guarantees Kafka Streams says nothing after other commits: there, whoever processes next knows
   * that the last one succeeded.
   */
  public void runAfterLast(String key, Runnable task) {
    after.put(key, task);
  }

  /** A store of the processor's own, whose writes are put off. */
  public StagedWrites staged(ProcessorContext<?, ?> context, String name) {
    StagedWrites store = new StagedWrites(context.getStateStore(name));
    run(context, name, store::flush);
    return store;
  }

  /** Does it now; what is put off later is done at the commit. */
  public void runNow() {
    List.copyOf(work.values()).forEach(Runnable::run);
  }

  @Override
  public void flushCache() {
    runNow();
    ThreadProgress.committing();
  }

  @Override
  public void clearCache() {
    // The task changes hands, with everything committed: whoever works next puts off its own.
    work.clear();
    after.clear();
  }

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    work.clear();
    after.clear();
    context.register(root, (key, value) -> {});
    open = true;
  }

  @Override
  public void commit(Map<TopicPartition, Long> offsets) {
    List.copyOf(after.values()).forEach(Runnable::run);
  }

  @Override
  public void close() {
    work.clear();
    after.clear();
    open = false;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** For tests: there is no local state that could be out of date. */
  public static StoreBuilder<PreCommitHooks> builder(String name) {
    return builder(name, LocalState.none());
  }

  /** Asks local state, before a processor begins, whether it may be gone on with. */
  public static StoreBuilder<PreCommitHooks> builder(String name, LocalState local) {
    return new Builder(name, local);
  }

  /** Neither logged nor cached: there is nothing to log or to cache. */
  private record Builder(String name, LocalState local) implements StoreBuilder<PreCommitHooks> {
    @Override
    public StoreBuilder<PreCommitHooks> withCachingEnabled() {
      return this;
    }

    @Override
    public StoreBuilder<PreCommitHooks> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<PreCommitHooks> withLoggingEnabled(Map<String, String> config) {
      return this;
    }

    @Override
    public StoreBuilder<PreCommitHooks> withLoggingDisabled() {
      return this;
    }

    @Override
    public PreCommitHooks build() {
      return new PreCommitHooks(name, local);
    }

    @Override
    public Map<String, String> logConfig() {
      return Map.of();
    }

    @Override
    public boolean loggingEnabled() {
      return false;
    }
  }
}
