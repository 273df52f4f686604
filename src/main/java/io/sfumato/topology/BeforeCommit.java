package io.sfumato.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 */
final class BeforeCommit implements StateStore, CachedStateStore<byte[], byte[]> {
  private final String name;
  private final List<Runnable> work = new ArrayList<>();
  private boolean open;

  private BeforeCommit(String name) {
    this.name = name;
  }

  /** Work that a processor puts off, from its {@code init}; done in the order of these calls. */
  void run(ProcessorContext<?, ?> context, Runnable task) {
    if (context instanceof InternalProcessorContext<?, ?> internal) {
      ProcessorNode<?, ?, ?, ?> node = internal.currentNode();
      work.add(
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
      work.add(task);
    }
  }

  /** Does it now; what is put off later is done at the commit. */
  void runNow() {
    work.forEach(Runnable::run);
  }

  @Override
  public void flushCache() {
    runNow();
  }

  @Override
  public void clearCache() {
    // Nothing is kept here.
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
    // A task that starts again makes its processors afresh.
    work.clear();
    context.register(root, (key, value) -> {});
    open = true;
  }

  @Override
  public void close() {
    work.clear();
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

  static StoreBuilder<BeforeCommit> builder(String name) {
    return new Builder(name);
  }

  /** Neither logged nor cached: there is nothing to log or to cache. */
  private record Builder(String name) implements StoreBuilder<BeforeCommit> {
    @Override
    public StoreBuilder<BeforeCommit> withCachingEnabled() {
      return this;
    }

    @Override
    public StoreBuilder<BeforeCommit> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<BeforeCommit> withLoggingEnabled(Map<String, String> config) {
      return this;
    }

    @Override
    public StoreBuilder<BeforeCommit> withLoggingDisabled() {
      return this;
    }

    @Override
    public BeforeCommit build() {
      return new BeforeCommit(name);
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
