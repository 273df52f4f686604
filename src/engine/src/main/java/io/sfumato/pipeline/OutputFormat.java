// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

/** How outputs, refusals and dead letters are written. */
public enum OutputFormat {
  /** Avro's single-object encoding of the schemas in {@code schemas/}. */
  AVRO,
  /** Avro in Confluent's wire format: the schemas lie in a schema registry. */
  REGISTERED,
  /** The same fields as a JSON object, for clients without Avro. */
  JSON
}
