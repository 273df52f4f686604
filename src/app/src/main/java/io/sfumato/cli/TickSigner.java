// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.TickKey;
import java.util.Optional;

/**
 * What signs ticks, and what may be said of it: whoever sees another tag where the pipeline runs
 * knows why ticks are refused.
 *
 * @param key of the budget
 * @param noiseKey that it is derived from, where that is known
 * @param place where it was found, for people
 */
record TickSigner(TickKey key, Optional<NoiseKey> noiseKey, String place) {
  private Optional<String> noiseTag() {
    return noiseKey.map(NoiseKey::tag);
  }

  /** For people. */
  String words() {
    return "signed with tick key %s%s from %s"
        .formatted(key.tag(), noiseTag().map(" of noise key %s"::formatted).orElse(""), place);
  }

  /** The same for programs. */
  void writeInto(ObjectNode json) {
    json.put("tick_key", key.tag())
        .put("noise_key", noiseTag().orElse(null))
        .put("key_from", place);
  }
}
