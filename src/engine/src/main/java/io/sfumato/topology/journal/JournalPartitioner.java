// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Brings equal subjects together, whatever the foreign producer's partitioner did. An empty key is
 * broadcast to every partition.
 */
public final class JournalPartitioner implements StreamPartitioner<byte[], byte[]> {
  public static final byte[] BROADCAST = new byte[0];

  @Override
  public Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, int numPartitions) {
    if (key.length == 0) {
      return Optional.of(
          IntStream.range(0, numPartitions).boxed().collect(Collectors.toUnmodifiableSet()));
    }
    return Optional.of(Set.of(partitionOf(key, numPartitions)));
  }

  /** Where a subject's entries lie. */
  public static int partitionOf(byte[] subject, int partitions) {
    return Utils.toPositive(Utils.murmur2(subject)) % partitions;
  }
}
