package io.sfumato.serde;

/**
 * What a pipeline keeps of a record.
 *
 * @param subject non-empty
 * @param time event time, milliseconds since 1970
 * @param category place in the pipeline's list of categories
 */
public record Event(String subject, long time, int category) {}
