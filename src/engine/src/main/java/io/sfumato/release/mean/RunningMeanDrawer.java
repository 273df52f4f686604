// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.gate.Measured;
import io.sfumato.mechanism.moments.DrawnParts;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.mechanism.moments.MomentSums;
import io.sfumato.mechanism.moments.NoisyMoments;
import io.sfumato.mechanism.running.NoisyRunningRows;
import io.sfumato.mechanism.running.Rows;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.RunningMemory;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Draws a row of parts of every window. A subject begins anew when as many windows are summed up as
 * the file says, and after a window of which nothing was drawn.
 */
final class RunningMeanDrawer implements Drawer {
  private final MeanSpec spec;
  private final MomentShape shape;
  private final OverWindows over;
  private final RunningMechanism mechanism;
  private final RunningMoments moments;
  private final DrawnParts parts;
  private final boolean sizeIsPublic;
  private final RunningMemory.Sequence sequence;
  private final MeanWriter writer;

  RunningMeanDrawer(PlannedRunningMean planned, long windowMillis) {
    this.spec = planned.spec();
    this.shape = spec.shape();
    this.over = spec.over();
    this.mechanism = planned.plan().mechanism();
    this.moments = planned.moments();
    this.parts = planned.parts();
    this.sizeIsPublic = planned.window().sizeIsPublic();
    this.sequence =
        new RunningMemory.Sequence(mechanism, planned.told(), over.running(), windowMillis);
    this.writer = MeanWriter.of(spec);
  }

  @Override
  public boolean remembers() {
    return true;
  }

  /** What goes on: rows, and what is known beside. */
  private record Past(RunningMemory rows, RecordsSoFar records) {
    RunningSums sums() {
      return rows.sums();
    }

    byte[] encode() {
      return records.before(rows.encode());
    }
  }

  private Past goingOn(Optional<byte[]> memory, long windowStart) {
    Optional<RecordsSoFar.Read> left = memory.flatMap(RecordsSoFar.Read::from);
    RunningMemory rows =
        sequence.goingOn(left.map(RecordsSoFar.Read::rest), windowStart, parts.size());
    return new Past(
        rows,
        rows.sums().windows() == 0
            ? RecordsSoFar.NONE
            : left.map(RecordsSoFar.Read::of).orElse(RecordsSoFar.NONE));
  }

  @Override
  public Prepared<?> prepare(long windowStart, WindowData data, Optional<byte[]> memory) {
    MomentSums own = new MomentSums(shape, data.tally(spec.rule()).dense(shape.size()));
    Past before = goingOn(memory, windowStart);
    Rows exact = before.sums().rows(parts.of(own.steps()));
    return new Prepared<>(
        Measured.of(mechanism, exact),
        (label, noisy) -> next(label, windowStart, before, own, noisy));
  }

  private Drawn next(
      OutputLabel label, long windowStart, Past before, MomentSums own, NoisyRunningRows noisy) {
    int keep = over.last().orElse(1);
    Past now =
        new Past(
            before.rows().plus(parts.of(own.steps()), noisy, mechanism.digits(), keep),
            sizeIsPublic ? before.records().plus(own.records(), keep) : RecordsSoFar.NONE);
    MeanWriter.Told told = over.running().isPresent() ? all(now) : ofLast(now, 1, windowStart);
    Optional<MeanWriter.Told> last =
        over.last().stream()
            .mapToObj(windows -> ofLast(now, windows, sequence.since(now.rows(), windows)))
            .findFirst();
    return new Drawn(writer.write(label, told, last), Optional.of(now.encode()));
  }

  private MeanWriter.Told all(Past now) {
    long windows = now.sums().windows();
    return told(now, now.rows().since(), windows, now.sums().told(), now.records().all());
  }

  private MeanWriter.Told ofLast(Past now, int last, long since) {
    long windows = Math.min(last, now.sums().windows());
    return told(now, since, windows, now.sums().toldOf(last), now.records().ofLast(last));
  }

  private MeanWriter.Told told(Past now, long since, long windows, long[] steps, long records) {
    return new MeanWriter.Told(
        since,
        windows,
        moments.error(now.sums().windows(), windows),
        new NoisyMoments(
            shape,
            parts.completed(steps, records),
            sizeIsPublic ? OptionalLong.of(records) : OptionalLong.empty()));
  }
}
