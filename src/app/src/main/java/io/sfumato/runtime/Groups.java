// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;

/** Groups of instances: whether any runs, and how one ends for good. */
public final class Groups {
  private final Admin admin;
  private final ClusterCalls calls;

  Groups(Admin admin, ClusterCalls calls) {
    this.admin = admin;
    this.calls = calls;
  }

  /** Whether any instance of a group runs. */
  public boolean hasMembers(String group) throws RefusedException {
    return !clients(group).isEmpty();
  }

  /** The newest version that instances of an application run, if they say which. */
  public OptionalInt newestVersion(String application) throws RefusedException {
    return clients(application).stream()
        .flatMapToInt(client -> ClientName.version(application, client).stream())
        .max();
  }

  /** What members of a group are called. */
  private List<String> clients(String group) throws RefusedException {
    KafkaFuture<List<String>> members =
        admin
            .describeConsumerGroups(List.of(group))
            .describedGroups()
            .get(group)
            .thenApply(
                (ConsumerGroupDescription found) ->
                    found.members().stream().map(MemberDescription::clientId).toList());
    String what = "describe the group " + group;
    return calls.call(
        what,
        members,
        cause -> {
          if (cause instanceof GroupIdNotFoundException) {
            return List.of();
          }
          throw calls.refused(what, cause);
        });
  }

  /**
   * Waits until no instance of a group runs: the cluster notices after a session's time-out that a
   * stopped one is gone.
   *
   * @param waiting is run once if there is something to wait for
   * @return false if instances still run after {@code patience}
   */
  public boolean awaitStopped(String group, Duration patience, Runnable waiting)
      throws RefusedException {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean told = false;
    while (hasMembers(group)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      if (!told) {
        told = true;
        waiting.run();
      }
      Cluster.pause(ClusterCalls.RETRY);
    }
    return true;
  }

  /**
   * Deletes a group with its offsets, which the cluster allows only when it has no members: whoever
   * starts later finds no offsets, and stops.
   *
   * @throws RefusedException if members remain for longer than the time-out
   */
  public void retire(String group, Duration timeout) throws RefusedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!isDeleted(group)) {
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED,
            "instances of '%s' are still running after %d s; stop them and try again"
                .formatted(group, timeout.toSeconds()));
      }
      Cluster.pause(ClusterCalls.RETRY);
    }
  }

  /** False if it has members. */
  private boolean isDeleted(String group) throws RefusedException {
    String what = "delete the group " + group;
    return calls.call(
        what,
        admin.deleteConsumerGroups(List.of(group)).all().thenApply(nothing -> true),
        cause -> {
          if (cause instanceof GroupIdNotFoundException) {
            return true;
          }
          if (cause instanceof GroupNotEmptyException) {
            return false;
          }
          throw calls.refused(what, cause);
        });
  }
}
