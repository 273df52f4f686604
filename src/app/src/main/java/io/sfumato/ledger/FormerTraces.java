// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.PublishedOutputs;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * What a cluster shows of a budget whose ledger is not there, or cannot be trusted: outputs, and
 * topics of the state, as a mirror copied them or as a failure left them. Any of it may be missing,
 * and nothing of it says what else there was. So it can only make the time later until which
 * everything counts as spent.
 *
 * @param releasedUntil end of the last window that was released or closed, milliseconds since 1970;
 *     nothing if none is there
 * @param written newest timestamp of all records, milliseconds since 1970; nothing if there is none
 */
record FormerTraces(OptionalLong releasedUntil, OptionalLong written) {
  private static final List<String> ENDS = List.of("window_end", "released_through");

  static FormerTraces read(Pipeline former, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    List<String> written = present(former.writtenTopics(), cluster);
    List<String> all = new ArrayList<>(written);
    all.addAll(present(Names.stateTopics(former), cluster));
    return new FormerTraces(
        LongStream.concat(
                published(former, settings, written), closed(former, settings, cluster).stream())
            .max(),
        all.isEmpty() ? OptionalLong.empty() : cluster.offsets().newestTimestamp(all));
  }

  private static List<String> present(List<String> topics, Cluster cluster)
      throws RefusedException {
    return List.copyOf(cluster.topics().ids(topics).keySet());
  }

  /** Ends of windows that outputs name. */
  private static LongStream published(Pipeline former, KafkaSettings settings, List<String> topics)
      throws RefusedException {
    long[] last = {Long.MIN_VALUE};
    if (!topics.isEmpty()) {
      PublishedOutputs.read(
          settings,
          topics,
          output -> {
            if (isOf(former, output)) {
              end(output).ifPresent(end -> last[0] = Math.max(last[0], end));
            }
          });
    }
    return LongStream.of(last).filter(time -> time != Long.MIN_VALUE);
  }

  private static boolean isOf(Pipeline former, IndexedRecord output) {
    Schema.Field name = output.getSchema().getField("pipeline");
    return name != null && former.name().equals(output.get(name.pos()));
  }

  private static OptionalLong end(IndexedRecord output) {
    return ENDS.stream()
        .map(output.getSchema()::getField)
        .filter(field -> field != null && output.get(field.pos()) instanceof Instant)
        .mapToLong(field -> ((Instant) output.get(field.pos())).toEpochMilli())
        .max();
  }

  /** The last window end that the state knows of. */
  private static OptionalLong closed(Pipeline former, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    StateTopics topics = new StateTopics(former);
    StateReader users = topics.readMeta(settings, cluster);
    StateReader subjects = topics.keepers(users, settings, cluster);
    return StateTopics.ask(
        () ->
            LongStream.concat(known(users), known(subjects))
                .filter(time -> time != Long.MIN_VALUE)
                .max());
  }

  private static LongStream known(StateReader state) {
    return LongStream.concat(
        state.foremost().stream(),
        state.image().map(LedgerImage::floor).stream().mapToLong(t -> t));
  }
}
