// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.window.WindowGrid;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Traces of one pipeline's windows, after they are committed: {@code window}, and in it {@code
 * closed}, {@code drawn} and {@code committed}.
 *
 * <p>Times are whole seconds, as the operators' port shows them at best. How long draws took may
 * depend on the records. So only the unit {@code record}, which says that times and numbers of
 * records are public, has a time between closed and committed; with other units all times of a
 * trace are the one at which its releases were committed.
 */
public final class WindowTraces {
  static final AttributeKey<String> PIPELINE = AttributeKey.stringKey("sfumato.pipeline");
  static final AttributeKey<Long> VERSION = AttributeKey.longKey("sfumato.version");
  static final AttributeKey<Long> PARTITION = AttributeKey.longKey("sfumato.partition");
  static final AttributeKey<String> WINDOW_START = AttributeKey.stringKey("sfumato.window.start");
  static final AttributeKey<String> WINDOW_END = AttributeKey.stringKey("sfumato.window.end");
  static final AttributeKey<Long> WINDOWS = AttributeKey.longKey("sfumato.windows");
  static final AttributeKey<Long> RELEASES = AttributeKey.longKey("sfumato.releases");

  /** Of windows that wait to be released; where there are more, the oldest times are forgotten. */
  private static final int MOST_WAITING = 1000;

  private final Pipeline pipeline;
  private final WindowGrid grid;
  private final boolean isTimePublic;
  private final Tracer tracer;
  private final GivenIds ids;
  private final LongSupplier millis;
  private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>();

  /** What is known of a partition since its last trace. */
  private static final class Partition {
    private final TreeMap<Long, Long> closedAt = new TreeMap<>();
    private OptionalLong tracedThrough = OptionalLong.empty();
    private long releases;
  }

  /**
   * @param millis the wall clock, milliseconds since 1970
   */
  WindowTraces(Pipeline pipeline, Tracer tracer, GivenIds ids, LongSupplier millis) {
    this.pipeline = pipeline;
    this.grid = pipeline.window().grid();
    this.isTimePublic = pipeline.budget().unit() == PrivacyUnit.RECORD;
    this.tracer = tracer;
    this.ids = ids;
    this.millis = millis;
  }

  private Partition of(int partition) {
    return partitions.computeIfAbsent(partition, p -> new Partition());
  }

  /** All sources of a partition have passed a window's end. */
  public void closed(int partition, long end) {
    if (!isTimePublic) {
      return;
    }
    Partition state = of(partition);
    synchronized (state) {
      state.closedAt.putIfAbsent(end, millis.getAsLong());
      if (state.closedAt.size() > MOST_WAITING) {
        state.closedAt.pollFirstEntry();
      }
    }
  }

  /** A partition has committed a release. */
  public void released(int partition) {
    Partition state = of(partition);
    synchronized (state) {
      state.releases++;
    }
  }

  /** A partition is another instance's. */
  public void left(int partition) {
    partitions.remove(partition);
  }

  /**
   * A partition has committed all releases of windows that end by then: makes the trace of the last
   * of them.
   */
  public WindowTrace committed(int partition, long end) {
    long start = grid.startOf(end - 1);
    WindowTrace ids = WindowTrace.of(pipeline.name(), pipeline.budget().name(), partition, start);
    AttributesBuilder attributes =
        Attributes.builder()
            .put(PIPELINE, pipeline.name())
            .put(VERSION, (long) pipeline.version())
            .put(PARTITION, (long) partition)
            .put(WINDOW_START, Instant.ofEpochMilli(start).toString())
            .put(WINDOW_END, Instant.ofEpochMilli(end).toString());
    long committed = millis.getAsLong();
    long closed = committed;
    Partition state = of(partition);
    synchronized (state) {
      Map.Entry<Long, Long> passed = state.closedAt.ceilingEntry(end);
      if (passed != null) {
        closed = Math.min(passed.getValue(), committed);
      }
      // One that reaches beyond tells when windows closed that are still to be released.
      state.closedAt.headMap(end, true).clear();
      state.tracedThrough.ifPresent(before -> attributes.put(WINDOWS, grid.between(before, end)));
      state.tracedThrough = OptionalLong.of(end);
      attributes.put(RELEASES, state.releases);
      state.releases = 0;
    }
    export(ids, attributes.build(), seconds(closed), seconds(committed));
    return ids;
  }

  private static long seconds(long time) {
    return Math.floorDiv(time, 1000L);
  }

  private void export(WindowTrace trace, Attributes attributes, long closed, long committed) {
    ids.set(trace.traceId(), trace.spanId());
    Span window =
        tracer
            .spanBuilder("window")
            .setNoParent()
            .setStartTimestamp(closed, TimeUnit.SECONDS)
            .setAllAttributes(attributes)
            .startSpan();
    Context parent = Context.root().with(window);
    child(trace, parent, "closed", closed, closed);
    child(trace, parent, "drawn", closed, committed);
    child(trace, parent, "committed", committed, committed);
    window.end(committed, TimeUnit.SECONDS);
  }

  private void child(WindowTrace trace, Context parent, String name, long from, long to) {
    ids.set(trace.traceId(), trace.child(name));
    tracer
        .spanBuilder(name)
        .setParent(parent)
        .setStartTimestamp(from, TimeUnit.SECONDS)
        .startSpan()
        .end(to, TimeUnit.SECONDS);
  }
}
