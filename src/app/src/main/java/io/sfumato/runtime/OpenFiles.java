// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import com.sun.management.UnixOperatingSystemMXBean;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.Names;
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
    return BASE + PER_STORE * partitions * stores;
  }

  /**
   * Refuses a start that would run out of files.
   *
   * @param partitions of the records' topic
   * @throws RefusedException with the limit that is needed
   */
  public static void require(Pipeline pipeline, int partitions) throws RefusedException {
    require(partitions, Names.stores(pipeline).size(), limit());
  }

  static void require(int partitions, int stores, OptionalLong limit) throws RefusedException {
    long needed = needed(partitions, stores);
    if (limit.isPresent() && limit.getAsLong() < needed) {
      throw new RefusedException(
          ExitCode.FAILED,
          ("this process may open %,d files (ulimit -n); an instance that has all %d partitions of this"
                  + " pipeline, with %d stores each, needs about %,d. Raise the limit (ulimit -n %d,"
                  + " LimitNOFILE of a systemd unit) and start again")
              .formatted(limit.getAsLong(), partitions, stores, needed, needed));
    }
  }
}
