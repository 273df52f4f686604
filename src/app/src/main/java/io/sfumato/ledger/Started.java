// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.release.Plan;
import java.util.Optional;

/**
 * The file that a budget was started with.
 *
 * @param digest of what the file plans, hexadecimal
 * @param noiseKey tag of the noise key
 * @param at when it was entered, in milliseconds since 1970
 */
public record Started(String budget, int version, String digest, String noiseKey, long at) {
  static Started of(Plan plan, String noiseKey) {
    return new Started(
        plan.pipeline().budget().name(),
        plan.pipeline().version(),
        plan.digestText(),
        noiseKey,
        System.currentTimeMillis());
  }

  /** Whether it is the same file with the same key. */
  boolean isSame(Started other) {
    return budget.equals(other.budget)
        && version == other.version
        && digest.equals(other.digest)
        && noiseKey.equals(other.noiseKey);
  }

  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("budget", budget)
        .put("version", version)
        .put("file", digest)
        .put("key", noiseKey);
  }

  static Optional<Started> read(JsonNode value, long at) {
    boolean ours = value.path("budget").isTextual() && value.path("version").isInt();
    return ours
        ? Optional.of(
            new Started(
                value.path("budget").asText(),
                value.path("version").asInt(),
                value.path("file").asText(),
                value.path("key").asText(),
                at))
        : Optional.empty();
  }
}
