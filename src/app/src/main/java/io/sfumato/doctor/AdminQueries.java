// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.runtime.ClusterCalls;
import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Asks a cluster. What it denies whoever asks is a finding, so that the rest is looked at all the
 * same; any other failure ends the whole.
 */
final class AdminQueries {
  private static final String FIX =
      "doctor's own principal lacks that right: 'sfumato doctor FILE --rights PRINCIPAL' prints "
          + "what doctor needs beyond the application's rights, with --auditor what it needs on "
          + "its own";

  private final String servers;

  /** What was not looked at, for want of a right. */
  private record Gap(String subject, AclOperation operation) {}

  private final Map<Gap, Set<String>> gaps = new LinkedHashMap<>();

  AdminQueries(String servers) {
    this.servers = servers;
  }

  /**
   * Waits for an answer.
   *
   * @param what was asked, for messages
   */
  <T> T ask(String what, KafkaFuture<T> future) throws RefusedException {
    return ClusterCalls.call(what, servers, future);
  }

  /**
   * Waits for an answer that needs a right.
   *
   * @param what was asked, for messages
   * @param subject of the finding if it is denied
   * @param operation that is needed
   * @param resource that it is needed on
   * @param failure for other failures that are answers
   * @return nothing if the right is missing
   */
  <T> Optional<T> ask(
      String what,
      String subject,
      AclOperation operation,
      String resource,
      KafkaFuture<T> future,
      ClusterCalls.OnFailure<Optional<T>> failure)
      throws RefusedException {
    return ClusterCalls.call(
        what,
        servers,
        future.thenApply(Optional::of),
        cause -> {
          if (cause instanceof AuthorizationException) {
            lacks(subject, operation, resource);
            return Optional.empty();
          }
          return failure.answer(cause);
        });
  }

  /** The same where any other failure is one. */
  <T> Optional<T> ask(
      String what, String subject, AclOperation operation, String resource, KafkaFuture<T> future)
      throws RefusedException {
    return ask(
        what,
        subject,
        operation,
        resource,
        future,
        cause -> {
          throw refused(what, cause);
        });
  }

  /** What a failure means. */
  RefusedException refused(String what, Throwable cause) {
    return ClusterCalls.refused(what, servers, cause);
  }

  /** Notes that something was not looked at. */
  void lacks(String subject, AclOperation operation, String resource) {
    gaps.computeIfAbsent(new Gap(subject, operation), gap -> new TreeSet<>()).add(resource);
  }

  /** One warning for each check that lacks a right. */
  List<Finding> gaps() {
    List<Finding> findings = new ArrayList<>();
    gaps.forEach(
        (gap, resources) ->
            findings.add(
                Finding.warning(
                    gap.subject(),
                    "not checked: no %s on %s"
                        .formatted(gap.operation(), String.join(", ", resources)),
                    FIX)));
    return findings;
  }
}
