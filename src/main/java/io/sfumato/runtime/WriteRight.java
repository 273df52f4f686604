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
          "--auto-tick writes ticks into the records' topic '%1$s', and this principal may not: grant it WRITE on topic '%1$s', which no other right of a pipeline includes; or leave --auto-tick out, and let another principal tick (sfumato tick, with a key of 'sfumato tick-key')"
              .formatted(topic));
    }
  }
}
