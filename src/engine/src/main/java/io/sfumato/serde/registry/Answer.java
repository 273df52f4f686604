// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sfumato.serde.ForeignBytes;

/**
 * What a registry answered.
 *
 * @param status of HTTP
 * @param body JSON; missing if it is none or too large
 * @param bytes of it that were read, at most one more than {@link #MOST_BYTES}
 * @param beginning first byte; -1 of an empty one
 */
record Answer(int status, JsonNode body, int bytes, int beginning) {
  /** Registries keep their schemas in Kafka's records, and those are half as large by default. */
  static final int MOST_BYTES = 2 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Schema, subject or version not found. */
  private static final int LEAST_NOT_FOUND = 40_401;

  private static final int MOST_NOT_FOUND = 40_403;

  static Answer of(int status, byte[] found) {
    JsonNode body =
        found.length > MOST_BYTES
            ? MissingNode.getInstance()
            : ForeignBytes.ifReadable(() -> JSON.readTree(found)).orElse(MissingNode.getInstance());
    return new Answer(status, body, found.length, found.length == 0 ? -1 : found[0]);
  }

  boolean hasSchema() {
    return status == 200 && (body.path("schema").isTextual() || isTooLarge());
  }

  /** JSON of more than anybody reads, and no page of a proxy. */
  boolean isTooLarge() {
    return bytes > MOST_BYTES && beginning == '{';
  }

  boolean hasId() {
    return status == 200 && body.path("id").isInt();
  }

  boolean isConflict() {
    return status == 409 || status == 422;
  }

  /** By the registry itself, which gives a code of its own: not by a wrong path or a proxy. */
  boolean isNotFound() {
    int code = body.path("error_code").asInt();
    return status == 404 && code >= LEAST_NOT_FOUND && code <= MOST_NOT_FOUND;
  }

  boolean isRefused() {
    return status == 401 || status == 403;
  }
}
