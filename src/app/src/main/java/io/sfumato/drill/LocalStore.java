// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.LocalState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * One store as an instance has it on disk, opened without a write and without a lock: the instance
 * may go on. Kafka Streams 4.3 keeps the offset that a store has reached beside its rows, and
 * RocksDB flushes both together. So what is on disk is the state at that offset, apart from rows
 * that were on their way into the next one.
 */
final class LocalStore implements AutoCloseable {
  /** {@code RocksDBStore} and {@code AbstractColumnFamilyAccessor} of Kafka Streams 4.3. */
  private static final String OFFSETS = "offsets";

  /** RocksDB's own name of the column family that every database has. */
  private static final String ROWS = "default";

  private static final byte[] STATUS = "status".getBytes(StandardCharsets.UTF_8);
  private static final long OPEN = 1;

  /** A compaction of the instance may delete a file that was just listed. */
  private static final int TRIES = 5;

  private final Resources resources;
  private final RocksDB store;
  private final ColumnFamilyHandle rows;
  private final Optional<ColumnFamilyHandle> offsets;
  private final Path folder;

  private LocalStore(
      Resources resources, RocksDB store, Map<String, ColumnFamilyHandle> families, Path folder) {
    this.resources = resources;
    this.store = store;
    this.rows = families.get(ROWS);
    this.offsets = Optional.ofNullable(families.get(OFFSETS));
    this.folder = folder;
  }

  /**
   * Opens a store.
   *
   * @param log folder for what RocksDB logs
   */
  static LocalStore open(Path folder, Path log) throws RefusedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return tryOpen(folder, log);
      } catch (RocksDBException e) {
        if (attempt == TRIES) {
          throw RocksRows.failed("open", e);
        }
      }
    }
  }

  private static LocalStore tryOpen(Path folder, Path log) throws RocksDBException {
    Resources resources = new Resources();
    try {
      Options listing = resources.open(new Options());
      List<byte[]> names = RocksDB.listColumnFamilies(listing, folder.toString());
      ColumnFamilyOptions family = resources.open(new ColumnFamilyOptions());
      List<ColumnFamilyDescriptor> descriptors =
          names.stream().map(name -> new ColumnFamilyDescriptor(name, family)).toList();
      DBOptions options = resources.open(new DBOptions()).setDbLogDir(log.toString());
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      RocksDB store =
          resources.open(RocksDB.openReadOnly(options, folder.toString(), descriptors, handles));
      handles.forEach(resources::open);
      Map<String, ColumnFamilyHandle> families = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        families.put(new String(names.get(i), StandardCharsets.UTF_8), handles.get(i));
      }
      return new LocalStore(resources, store, families, folder);
    } catch (RocksDBException | RuntimeException e) {
      resources.close();
      throw e;
    }
  }

  /**
   * The offset of the last entry of a changelog that the store holds; nothing where Kafka Streams
   * would wipe the store and restore it.
   */
  OptionalLong offset(TopicPartition changelog) throws RefusedException {
    return number(changelog.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the instance that wrote it had it open: it runs, or was killed. */
  boolean isOpen() throws RefusedException {
    OptionalLong status = number(STATUS);
    return status.isPresent() && status.getAsLong() == OPEN;
  }

  /**
   * When the store had seen every deletion up to its offset: milliseconds since 1970; nothing if
   * that is not known.
   */
  OptionalLong time() throws RefusedException {
    return isOpen()
        ? flushed()
        : number(LocalState.UP_TO_DATE.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** When rows were written last. */
  private OptionalLong flushed() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(file -> file.toFile().lastModified())
          .max();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private OptionalLong number(byte[] key) throws RefusedException {
    if (offsets.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      byte[] value = store.get(offsets.get(), key);
      return value == null || value.length != Long.BYTES
          ? OptionalLong.empty()
          : OptionalLong.of(ByteBuffer.wrap(value).getLong());
    } catch (RocksDBException e) {
      throw RocksRows.failed("read", e);
    }
  }

  /** All rows. */
  SortedRows rows() {
    return new RocksRows(store.newIterator(rows));
  }

  @Override
  public void close() {
    resources.close();
  }
}
