// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * The controller's clock. Kafka has no call for the time, but the leader of the controllers' quorum
 * has caught up with itself now, and the description of the quorum says when that was.
 */
final class ControllerTime {
  private ControllerTime() {}

  /** Milliseconds since 1970, if the cluster says it, to this principal. */
  static OptionalLong of(Admin admin, String servers) throws RefusedException {
    KafkaFuture<OptionalLong> time =
        admin.describeMetadataQuorum().quorumInfo().thenApply(ControllerTime::of);
    String what = "ask for the time";
    return ClusterCalls.call(
        what,
        servers,
        time,
        cause -> {
          if (cause instanceof AuthorizationException
              || cause instanceof UnsupportedVersionException) {
            return OptionalLong.empty();
          }
          throw ClusterCalls.refused(what, servers, cause);
        });
  }

  private static OptionalLong of(QuorumInfo quorum) {
    return quorum.voters().stream()
        .filter(voter -> voter.replicaId() == quorum.leaderId())
        .map(QuorumInfo.ReplicaState::lastCaughtUpTimestamp)
        .findFirst()
        .orElse(OptionalLong.empty());
  }
}
