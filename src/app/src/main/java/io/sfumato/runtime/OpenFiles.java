// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;

/** How many files a process may open, and how many an instance of a pipeline needs. */
public final class OpenFiles {
  /** Libraries of the JVM, sockets and logs. */
  private static final long BASE = 400;

  /**
   * Of one store of one partition: RocksDB's log, lock, manifest, folder and write-ahead log, and
   * some tables.
   */
  private static final long PER_STORE = 12;

  private OpenFiles() {}

  /** The limit of this process (ulimit -n), or none where the system does not tell. */
  public static OptionalLong limit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? OptionalLong.of(unix.getMaxFileDescriptorCount())
        : OptionalLong.empty();
  }

  /**
   * The files that one instance needs when it has all partitions, as it does when every other
   * instance is down.
   *
   * @param partitions of the records' topic
   * @param stores of the pipeline
   */
  static long needed(int partitions, int stores) {
    return BASE + ofStores(partitions, stores);
  }

  /** Those of its stores alone. */
  static long ofStores(int partitions, int stores) {
    return PER_STORE * partitions * stores;
  }

  static void require(int partitions, int stores, OptionalLong limit) throws RefusedException {
    require(partitions, stores, 0, limit);
  }

  /**
   * Refuses a start that would run out of files.
   *
   * @param others files of stores of other pipelines in this process
   * @throws RefusedException with the limit that is needed
   */
  static void require(int partitions, int stores, long others, OptionalLong limit)
      throws RefusedException {
    long needed = needed(partitions, stores) + others;
    if (limit.isPresent() && limit.getAsLong() < needed) {
      throw new RefusedException(
          ExitCode.FAILED,
          ("this process may open %,d files (ulimit -n); an instance that has all %d partitions of this"
                  + " pipeline, with %d stores each,%s needs about %,d. Raise the limit (ulimit -n %d,"
                  + " LimitNOFILE of a systemd unit) and start again")
              .formatted(
                  limit.getAsLong(),
                  partitions,
                  stores,
                  others > 0 ? " beside the other pipelines of this process" : "",
                  needed,
                  needed));
    }
  }
}
