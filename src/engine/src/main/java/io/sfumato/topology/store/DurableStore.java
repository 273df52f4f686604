// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.store;

import io.sfumato.topology.context.LocalCopy;
import io.sfumato.topology.context.LocalState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on disk that is opened again only if it was closed with committed writes alone, and not
 * too long ago. Kafka Streams 4.3 knows neither:
 *
 * <ul>
 *   <li>{@code RocksDBStore.close} marks the store as closed, and RocksDB flushes it as it closes,
 *       whether its task is closed clean or dirty; {@code StateManagerUtil.closeStateManager} wipes
 *       the folder of a dirty one only afterwards. A process killed in between, or a wipe that
 *       fails, leaves aborted writes that look clean. (At a shutdown whose last commit fails even
 *       the offsets move past them: {@code TaskManager.tryCloseCleanActiveTasks} checkpoints every
 *       task.) Therefore a store whose last write was not committed forgets its offsets before it
 *       closes: the writes, the missing offsets and the mark reach the disk in one atomic flush, or
 *       none of them does. {@code ProcessorStateManager} wipes a store without offsets.
 *   <li>How old the content is. The time is kept beside the offsets and goes to disk with them. A
 *       process that is killed leaves the time of its last clean close, as it leaves that content:
 *       nothing that a flush wrote meanwhile is ever read again, because with it came the mark of
 *       an open store.
 * </ul>
 *
 * Either way Kafka Streams is told that the task is corrupted: it wipes that task's folder and
 * reads its changelogs from the beginning.
 */
public final class DurableStore
    extends WrappedStateStore<KeyValueStore<Bytes, byte[]>, Bytes, byte[]>
    implements KeyValueStore<Bytes, byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(DurableStore.class);

  private static final LocalState.Transaction NOTHING = () -> true;

  private final LocalState local;
  private LocalState.Transaction written = NOTHING;

  /** A write is of a transaction that was given up, though others followed. */
  private boolean spoiled;

  /** Null as long as the content was not accepted. */
  private LocalCopy copy;

  public DurableStore(KeyValueStore<Bytes, byte[]> inner, LocalState local) {
    super(inner);
    this.local = local;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    copy = null;
    written = NOTHING;
    spoiled = false;
    super.init(context, root);
    int partition = context.taskId().partition();
    long upToDate = local.now();
    if (!isEmpty()) {
      Long known = committedOffset(LocalState.UP_TO_DATE);
      if (known == null || local.isTooOld(known)) {
        LOG.warn(
            "the local copy of {} of partition {} {}; wiping it and restoring it from its "
                + "changelog",
            name(),
            partition,
            known == null ? "has no date" : "is too old");
        throw new TaskCorruptedException(Set.of(context.taskId()));
      }
      upToDate = Math.min(known, upToDate);
    }
    copy = new LocalCopy(name(), partition, upToDate);
    local.opened(copy);
  }

  private boolean isEmpty() {
    try (KeyValueIterator<Bytes, byte[]> entries = wrapped().all()) {
      return !entries.hasNext();
    }
  }

  @Override
  public void close() {
    if (copy == null) {
      super.close();
      return;
    }
    try {
      if (isOpen()) {
        // Nothing at all makes the store forget every offset.
        commit(
            spoiled || !written.isCommitted()
                ? Map.of()
                : Map.of(LocalState.UP_TO_DATE, copy.upToDate()));
      }
    } finally {
      local.closed(copy);
      copy = null;
      super.close();
    }
  }

  private void write() {
    LocalState.Transaction now = local.transaction();
    if (now != written) {
      spoiled = spoiled || !written.isCommitted();
      written = now;
    }
  }

  @Override
  public void put(Bytes key, byte[] value) {
    write();
    wrapped().put(key, value);
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    write();
    return wrapped().putIfAbsent(key, value);
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    write();
    wrapped().putAll(entries);
  }

  @Override
  public byte[] delete(Bytes key) {
    write();
    return wrapped().delete(key);
  }

  @Override
  public byte[] get(Bytes key) {
    return wrapped().get(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return wrapped().range(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
    return wrapped().reverseRange(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return wrapped().all();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseAll() {
    return wrapped().reverseAll();
  }

  @Override
  public <P extends Serializer<Q>, Q> KeyValueIterator<Bytes, byte[]> prefixScan(
      Q prefix, P serializer) {
    return wrapped().prefixScan(prefix, serializer);
  }

  @Override
  public long approximateNumEntries() {
    return wrapped().approximateNumEntries();
  }

  /** Makes such stores of others. */
  public record Supplier(KeyValueBytesStoreSupplier inner, LocalState local)
      implements KeyValueBytesStoreSupplier {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new DurableStore(inner.get(), local);
    }

    @Override
    public String metricsScope() {
      return inner.metricsScope();
    }
  }
}
