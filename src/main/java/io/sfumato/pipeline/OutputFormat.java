package io.sfumato.pipeline;

/** How outputs, refusals and dead letters are written. */
public enum OutputFormat {
  /** Avro's single-object encoding of the schemas in {@code schemas/}. */
  AVRO,
  /** The same fields as a JSON object, for clients without Avro. */
  JSON
}
