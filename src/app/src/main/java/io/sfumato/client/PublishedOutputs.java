// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.generic.IndexedRecord;

/** All outputs that topics hold now. Records of another writer are no outputs: they are skipped. */
public final class PublishedOutputs {
  private PublishedOutputs() {}

  /**
   * Reads them from their beginning, committed records only.
   *
   * @param taker of each, in the order of its partition
   * @throws RefusedException if a topic is not there or cannot be read
   */
  public static void read(
      KafkaSettings settings, List<String> topics, Consumer<IndexedRecord> taker)
      throws RefusedException {
    SchemaSource schemas = SchemaRegistries.of(settings);
    new OutputReader(settings)
        .read(
            topics,
            OutputReader.Ending.AT_END,
            record -> {
              ForeignBytes.ifReadable(() -> Outputs.decodeAny(record.value(), schemas))
                  .ifPresent(taker);
              return true;
            });
  }
}
