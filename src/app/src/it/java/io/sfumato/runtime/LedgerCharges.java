// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;

/** What ledgers hold, as their changelog says. */
public final class LedgerCharges {
  private LedgerCharges() {}

  /** How many charges the ledgers of an application hold. */
  public static long count(TestCluster cluster, String application) throws RefusedException {
    Map<Bytes, LedgerImage.Line> lines = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record :
        cluster.committed(Names.changelogTopic(application, LedgerImage.LEDGERS))) {
      lines.put(Bytes.wrap(record.key()), LedgerImage.Line.of(record.key(), record.value()));
    }
    return lines.values().stream()
        .flatMap(line -> line.charges().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }
}
