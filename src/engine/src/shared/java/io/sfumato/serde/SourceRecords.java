// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import org.apache.kafka.common.header.internals.RecordHeaders;

/** Records of a topic, for tests. */
public final class SourceRecords {
  /** The topic that they come from. */
  public static final String TOPIC = "records";

  private SourceRecords() {}

  /** A record without headers. */
  public static SourceRecord record(byte[] key, byte[] value, long timestamp) {
    return new SourceRecord(TOPIC, key, value, timestamp, new RecordHeaders());
  }
}
