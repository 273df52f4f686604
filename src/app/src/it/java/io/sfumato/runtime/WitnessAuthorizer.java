// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/** Kafka's authorizer, which remembers what it was asked and what it said. */
public final class WitnessAuthorizer extends StandardAuthorizer {
  private static final Set<Question> ALLOWED = ConcurrentHashMap.newKeySet();
  private static final Set<Question> DENIED = ConcurrentHashMap.newKeySet();

  /** Whether somebody may do something with one resource. */
  record Question(String principal, AclOperation operation, ResourceType type, String name) {}

  /** What was asked of somebody and allowed, by all brokers of this process. */
  static Set<Question> allowed() {
    return Set.copyOf(ALLOWED);
  }

  /** What was asked of somebody and denied. */
  static Set<Question> denied() {
    return Set.copyOf(DENIED);
  }

  @Override
  public List<AuthorizationResult> authorize(
      AuthorizableRequestContext context, List<Action> actions) {
    List<AuthorizationResult> results = super.authorize(context, actions);
    for (int i = 0; i < actions.size(); i++) {
      Action action = actions.get(i);
      boolean allowed = results.get(i) == AuthorizationResult.ALLOWED;
      // What the broker wants to know without need is none that it would log.
      if (allowed ? action.logIfAllowed() : action.logIfDenied()) {
        Question question =
            new Question(
                context.principal().toString(),
                action.operation(),
                action.resourcePattern().resourceType(),
                action.resourcePattern().name());
        (allowed ? ALLOWED : DENIED).add(question);
      }
    }
    return results;
  }
}
