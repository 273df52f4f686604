// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Publishes what is made of outputs' records, beside these and in the same transaction. It sees
 * nothing but the records themselves: nothing is drawn, nothing is charged.
 */
public final class DerivedOutputs {
  private final List<Made> made;
  private final Publisher publisher;

  private DerivedOutputs(List<Made> made, Publisher publisher) {
    this.made = made;
    this.publisher = publisher;
  }

  private record Made(DerivedSpec.Maker maker, Publisher.Output output) {}

  /** Those of an output by itself; often none. */
  public static DerivedOutputs of(Plan plan, String source, Publisher publisher) {
    return of(
        plan,
        plan.pipeline().derivedOf(source).stream()
            .filter(spec -> spec.sources().size() == 1)
            .toList(),
        publisher);
  }

  /** These ones. */
  static DerivedOutputs of(Plan plan, List<DerivedSpec> derived, Publisher publisher) {
    return new DerivedOutputs(
        derived.stream()
            .map(
                spec -> {
                  List<PlannedRelease> sources = plan.sources(spec);
                  return new Made(spec.maker(sources), publisher.outputOf(spec, sources));
                })
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
          each.maker().made(publisher.label(each.output(), id), source),
          timestamp);
    }
  }
}
