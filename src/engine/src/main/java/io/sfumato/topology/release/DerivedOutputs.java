// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.Pipeline;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Publishes what is made of one output's records, beside these and in the same transaction. It sees
 * nothing but the records themselves: nothing is drawn, nothing is charged.
 */
public final class DerivedOutputs {
  private final List<Made> made;
  private final Publisher publisher;

  private DerivedOutputs(List<Made> made, Publisher publisher) {
    this.made = made;
    this.publisher = publisher;
  }

  private record Made(DerivedSpec spec, Publisher.Output output) {}

  /** Those of an output; often none. */
  public static DerivedOutputs of(Pipeline pipeline, Publisher.Output source, Publisher publisher) {
    return new DerivedOutputs(
        pipeline.derivedOf(source.name()).stream()
            .map(spec -> new Made(spec, publisher.outputOf(spec, source)))
            .toList(),
        publisher);
  }

  /**
   * Publishes them.
   *
   * @param source all records of the subject and window, in their order; at least one
   * @param timestamp Kafka timestamp of what is published
   */
  public void publish(
      String subject, long windowStart, List<? extends SpecificRecord> source, long timestamp) {
    for (Made each : made) {
      ReleaseId id = publisher.id(each.output().name(), subject, windowStart, 0);
      publisher.publishDerived(
          each.output(),
          id,
          each.spec().made(publisher.label(each.output(), id), source),
          timestamp);
    }
  }
}
