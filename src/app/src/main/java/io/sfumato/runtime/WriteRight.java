// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;

/**
 * Whether whoever runs a pipeline may tick, too: an application's own rights let it read records
 * only.
 *
 * @param topic of the records
 * @param operations that the cluster allows on it; null where it does not say
 */
record WriteRight(String topic, Set<AclOperation> operations) {
  /**
   * Refuses to begin where no tick would ever be written.
   *
   * @throws RefusedException with what to do
   */
  void require() throws RefusedException {
    if (operations != null && !operations.contains(AclOperation.WRITE)) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "'ticks: here' and --auto-tick write ticks to the records' topic '%1$s', but this principal lacks WRITE there: grant it WRITE on topic '%1$s'; or set 'ticks: external' and let another principal tick (sfumato tick, with a key from 'sfumato tick-key')"
              .formatted(topic));
    }
  }
}
