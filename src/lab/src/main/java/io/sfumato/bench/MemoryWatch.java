// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The most memory that this process held while it was watched, looked at four times a second. It
 * holds all of the benchmark: a broker in this process too.
 */
final class MemoryWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private final DoubleSupplier stores;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "bench-memory");
  private volatile Peak peak = new Peak(0, 0, 0);

  /**
   * Begins.
   *
   * @param stores bytes that the stores' native memory takes now
   */
  MemoryWatch(DoubleSupplier stores) {
    this.stores = stores;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Bytes at their most, each by itself.
   *
   * @param heap what the collector left behind, of the generations that it keeps
   * @param stores native memory of RocksDB
   * @param resident of the whole process; 0 where the system does not tell
   */
  record Peak(double heap, double stores, double resident) {
    Peak and(double otherHeap, double otherStores, double otherResident) {
      return new Peak(
          Math.max(heap, otherHeap),
          Math.max(stores, otherStores),
          Math.max(resident, otherResident));
    }
  }

  private void watch() {
    try {
      do {
        peak = peak.and(heapKept(), stores.getAsDouble(), resident());
      } while (!over.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double heapKept() {
    double bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage kept = pool.getCollectionUsage();
      if (pool.getType() == MemoryType.HEAP && kept != null) {
        bytes += kept.getUsed();
      }
    }
    return bytes;
  }

  private static double resident() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(RESIDENT))
          .mapToDouble(line -> 1024 * Double.parseDouble(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      // Not on Linux.
      return 0;
    }
  }

  /** Stops watching. */
  Peak peak() throws InterruptedException {
    over.countDown();
    thread.join();
    return peak;
  }

  @Override
  public void close() {
    over.countDown();
  }
}
