// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.Names;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The open files that the stores of all pipelines of a process need together. */
public final class StoreFiles {
  private final OptionalLong limit;

  /** Of pipelines that were started, by application. */
  private final Map<String, Long> needed = new HashMap<>();

  /** Of this process. */
  public StoreFiles() {
    this(OpenFiles.limit());
  }

  StoreFiles(OptionalLong limit) {
    this.limit = limit;
  }

  /**
   * Counts in a pipeline that starts, or starts again.
   *
   * @param partitions of the records' topic
   * @throws RefusedException with the limit that is needed, if the process would run out of files
   */
  public synchronized void require(Pipeline pipeline, int partitions) throws RefusedException {
    int stores = Names.stores(pipeline).size();
    needed.remove(pipeline.applicationId());
    long others = needed.values().stream().mapToLong(Long::longValue).sum();
    OpenFiles.require(partitions, stores, others, limit);
    needed.put(pipeline.applicationId(), OpenFiles.ofStores(partitions, stores));
  }

  /** A pipeline has ended. */
  public synchronized void release(Pipeline pipeline) {
    needed.remove(pipeline.applicationId());
  }
}
