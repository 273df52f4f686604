package io.sfumato.ops;

import io.sfumato.serde.RejectionCode;
import io.sfumato.topology.PipelineMeters;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts of this process since it started. An aborted attempt counts too, so these are for
 * watching; what was really published is what a read_committed consumer reads.
 */
public final class RunningCounts implements PipelineMeters {
  private final LongAdder accepted = new LongAdder();
  private final LongAdder silent = new LongAdder();
  private final LongAdder notEnrolled = new LongAdder();
  private final LongAdder learnerFailures = new LongAdder();
  private final Map<RejectionCode, LongAdder> rejected = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> released = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> heldBack = new ConcurrentHashMap<>();
  private final Map<Integer, Long> closedThrough = new ConcurrentHashMap<>();
  private final Map<Integer, Long> handedOver = new ConcurrentHashMap<>();

  @Override
  public void accepted() {
    accepted.increment();
  }

  @Override
  public void rejected(RejectionCode code) {
    rejected.computeIfAbsent(code, c -> new LongAdder()).increment();
  }

  @Override
  public void released(String output) {
    released.computeIfAbsent(output, o -> new LongAdder()).increment();
  }

  @Override
  public void refused(String output, String code) {
    refused.computeIfAbsent(output, o -> new LongAdder()).increment();
  }

  @Override
  public void silent(String output) {
    silent.increment();
  }

  @Override
  public void notEnrolled() {
    notEnrolled.increment();
  }

  @Override
  public void learnerFailed(String output, int times) {
    learnerFailures.add(times);
  }

  @Override
  public void closed(int partition, long end) {
    closedThrough.put(partition, end);
  }

  @Override
  public void handedOver(int partition, long from) {
    handedOver.put(partition, from);
  }

  @Override
  public void heldBackBy(int partition, int source) {
    heldBack.put(partition, source);
  }

  public long acceptedRecords() {
    return accepted.sum();
  }

  public long releases() {
    return released.values().stream().mapToLong(LongAdder::sum).sum();
  }

  public long refusals() {
    return refused.values().stream().mapToLong(LongAdder::sum).sum();
  }

  public Map<RejectionCode, Long> rejections() {
    return rejected.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, e -> e.getValue().sum(), Long::sum, TreeMap::new));
  }

  /** One line for the console. */
  public String line() {
    Map<RejectionCode, Long> codes = rejections();
    String line =
        "%,d records accepted, %,d releases, %,d refusals"
            .formatted(acceptedRecords(), releases(), refusals());
    if (!closedThrough.isEmpty()) {
      line += ", closed through " + Instant.ofEpochMilli(Collections.min(closedThrough.values()));
    }
    if (silent.sum() > 0) {
      line += ", %,d past an exhausted budget".formatted(silent.sum());
    }
    if (notEnrolled.sum() > 0) {
      line += ", %,d not enrolled".formatted(notEnrolled.sum());
    }
    if (learnerFailures.sum() > 0) {
      line += ", %,d learners failed".formatted(learnerFailures.sum());
    }
    if (!handedOver.isEmpty()) {
      line +=
          ", partitions %s wait for the next version (windows from %s)"
              .formatted(
                  new TreeSet<>(handedOver.keySet()),
                  Instant.ofEpochMilli(Collections.max(handedOver.values())));
    }
    for (Map.Entry<RejectionCode, Long> code : codes.entrySet()) {
      line += ", %,d %s".formatted(code.getValue(), code.getKey());
    }
    int slowest = heldBack.values().stream().mapToInt(Integer::intValue).max().orElse(-1);
    return slowest < 0 ? line : line + ", windows wait for source partition " + slowest;
  }
}
