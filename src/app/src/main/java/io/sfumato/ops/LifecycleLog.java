// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.console.Terminal;
import io.sfumato.console.VisibleJsonEncoder;
import io.sfumato.ops.otlp.WindowTrace;
import io.sfumato.ops.otlp.WindowTraces;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.runtime.ClientProperties;
import io.sfumato.runtime.PipelineRun.Instance;
import io.sfumato.serde.RejectionCode;
import io.sfumato.topology.context.Deployment;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The few lines that an instance logs of its life: one a start, one a closed window (see {@link
 * ClosedWindowLog}), one for each of the operator's commands that a partition has done.
 */
public final class LifecycleLog {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleLog.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MASK = "***";

  private LifecycleLog() {}

  /**
   * Says with which settings an instance starts: all that are in effect, secrets masked.
   *
   * @param deployment of it; of its noise key only the fingerprint is said
   */
  public static void started(Plan plan, Instance instance, Deployment deployment) {
    LOG.info(
        "start {}",
        Terminal.wantsJson()
            ? configuration(plan, instance, deployment)
            : words(instance, deployment));
  }

  /** For people, who have the plan from 'sfumato plan'. */
  static String words(Instance instance, Deployment deployment) {
    return "noise key %s, state in %s, replication %d, standbys %d, heap %d MiB, kafka %s"
        .formatted(
            deployment.noiseKey().tag(),
            instance.stateFolder(),
            instance.replication(),
            instance.standbys(),
            Runtime.getRuntime().maxMemory() >> 20,
            masked(instance.settings().all()));
  }

  static String configuration(Plan plan, Instance instance, Deployment deployment) {
    ObjectNode json = JSON.createObjectNode();
    try {
      json.set("plan", JSON.readTree(PlanReport.json(plan)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan's report is JSON", e);
    }
    json.put("noise_key", deployment.noiseKey().tag())
        .put("state", instance.stateFolder().toString())
        .put("replication", instance.replication())
        .put("standbys", instance.standbys())
        .put("heap", Runtime.getRuntime().maxMemory())
        .put("open_memory", deployment.memory().bytes())
        .put("java", Runtime.version().toString());
    ObjectNode kafka = json.putObject("kafka");
    masked(instance.settings().all()).forEach(kafka::put);
    return json.toString();
  }

  /** A line with the ids of the trace that it belongs to. */
  private static void say(String line, Optional<WindowTrace> trace) {
    LoggingEventBuilder event = LOG.atInfo();
    trace.ifPresent(
        ids ->
            event
                .addKeyValue(VisibleJsonEncoder.TRACE_ID, ids.traceId())
                .addKeyValue(VisibleJsonEncoder.SPAN_ID, ids.spanId()));
    event.log(line);
  }

  private static Map<String, String> masked(Map<String, String> settings) {
    Map<String, String> masked = new TreeMap<>(settings);
    masked.replaceAll((name, value) -> ClientProperties.isSecret(name) ? MASK : value);
    return masked;
  }

  /** Says what partitions do, and what becomes of ticks. */
  public static RunningCounts.Listener of(WindowSpec window) {
    return of(window, Optional.empty());
  }

  /**
   * The same, with a trace of each window that has a line.
   *
   * @param traces nothing if none are exported
   */
  public static RunningCounts.Listener of(WindowSpec window, Optional<WindowTraces> traces) {
    return new Lines(window, traces, new ClosedWindowLog(System::nanoTime));
  }

  /** The lines of one pipeline. */
  private record Lines(WindowSpec window, Optional<WindowTraces> traces, ClosedWindowLog closed)
      implements RunningCounts.Listener {
    @Override
    public void passed(int partition, long end) {
      traces.ifPresent(t -> t.closed(partition, end));
    }

    @Override
    public void released(int partition) {
      traces.ifPresent(t -> t.released(partition));
    }

    @Override
    public void left(int partition) {
      traces.ifPresent(t -> t.left(partition));
    }

    @Override
    public void tickRefused(RejectionCode code) {
      TickWatch.words(EnumSet.of(code)).ifPresent(LOG::warn);
    }

    @Override
    public void tickOfOtherBudget() {
      if (window.clock() == WindowSpec.Clock.TICKS && window.ticks() != WindowSpec.Ticks.HERE) {
        LOG.warn(TickWatch.wordsForOthers());
      }
    }

    @Override
    public void closed(int partition, long end) {
      closed
          .closed(partition, end)
          .ifPresent(line -> say(line, traces.map(t -> t.committed(partition, end))));
    }

    @Override
    public void announcedTooLate(int partition, RunningCounts.Wait next) {
      LOG.warn(
          "version {} cannot take over at {}: partition {} has closed that window. Partitions that"
              + " have not are waiting, and nothing is released from then on. Announce it again"
              + " with a later --from: sfumato activate FILE --from TIME",
          next.version(),
          Instant.ofEpochMilli(next.from()),
          partition);
    }

    @Override
    public void waits(int partition, RunningCounts.Wait next) {
      LOG.info(
          "waiting for version {}: partition {} has released every window that starts before "
              + "{}; version {} releases the later ones",
          next.version(),
          partition,
          Instant.ofEpochMilli(next.from()),
          next.version());
    }

    @Override
    public void forgot(int partition, int names) {
      LOG.info(
          "partition {}: erased open data of {}; ledgers retained",
          partition,
          Plurals.of(names, "name"));
    }
  }
}
