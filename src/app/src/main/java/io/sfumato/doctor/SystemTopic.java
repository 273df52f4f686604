// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static io.sfumato.doctor.Finding.Severity.PROBLEM;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.internals.Topic;

/**
 * A topic of the cluster's own that a pipeline rests on, and that it has no right on itself:
 * brokers alone read and write it. They refuse writers there, but for whoever calls himself {@code
 * __admin_client}, and by a rule anybody may.
 */
enum SystemTopic {
  OFFSETS(
      Topic.GROUP_METADATA_TOPIC_NAME,
      "a client with client.id __admin_client can set the offsets of every group: records are "
          + "skipped or read twice, and the pipeline stops",
      "offsets of every group can be deleted, and without its own the pipeline stops"),
  TRANSACTIONS(
      Topic.TRANSACTION_STATE_TOPIC_NAME,
      "a client with client.id __admin_client can break every transaction, so that charges and "
          + "releases no longer match",
      "commits can be lost, so that charges and releases no longer match");

  private static final String COUNTED =
      "it holds the offsets of every group: they reveal how many records there are, and this "
          + "budget's unit protects that number";

  private static final List<AclOperation> ALTERING =
      List.of(AclOperation.DELETE, AclOperation.ALTER, AclOperation.ALTER_CONFIGS);

  private final String topic;
  private final Risk written;
  private final String altered;

  SystemTopic(String topic, String written, String altered) {
    this.topic = topic;
    this.written = new Risk(AclOperation.WRITE, written, PROBLEM, PROBLEM);
    this.altered = altered;
  }

  String topic() {
    return topic;
  }

  /** What somebody else could do to any budget; the application needs none of it either. */
  List<Risk> harms() {
    return Stream.concat(
            Stream.of(written),
            ALTERING.stream().map(operation -> new Risk(operation, altered, PROBLEM, PROBLEM)))
        .toList();
  }

  /** The same for a budget whose unit protects how many records there are. */
  List<Risk> harmsWhereNumbersAreProtected() {
    List<Risk> harms = new ArrayList<>(harms());
    if (this == OFFSETS) {
      harms.add(new Risk(AclOperation.READ, COUNTED, PROBLEM, PROBLEM));
    }
    return harms;
  }
}
