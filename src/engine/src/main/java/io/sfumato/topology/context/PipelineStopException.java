// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;

/**
 * The pipeline must not go on: going on would count a record twice, relabel counts or contradict
 * the ledger. The message tells the operator what to do and holds nothing private.
 */
public class PipelineStopException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whether an operator has asked for it. */
  private final boolean planned;

  public PipelineStopException(String message) {
    this(message, false);
  }

  private PipelineStopException(String message, boolean planned) {
    super(message);
    this.planned = planned;
  }

  /** Whether an operator has asked for it: nothing is wrong. */
  public boolean isPlanned() {
    return planned;
  }

  /** Of a file under ticks whose windows begin nowhere, on a state that does not know it either. */
  public static PipelineStopException withoutBegin() {
    return new PipelineStopException(
        "window.begin is missing: with 'clock: ticks', windows start at a public time, never at "
            + "the first record or tick. Write the start of the first window into the file: "
            + "window: {..., begin: 2026-01-05}");
  }

  /** Of a file whose windows begin after some that this state still has to decide. */
  public static PipelineStopException beginsTooLate(long undecided) {
    return new PipelineStopException(
        "window.begin is later than windows that this state has yet to decide: their records "
            + "would be dropped. Write begin: "
            + WindowSpec.beginText(undecided));
  }

  /** Of an entry of the journal that was written with other zone data. */
  public static PipelineStopException otherZoneData(String time) {
    return new PipelineStopException(
        "time zone data: the journal names a window that starts at %s, and by the zone data of this Java runtime none does. Run all instances with the same version of the JDK, or of its tzdata"
            .formatted(time));
  }

  /** Of a file that is older than the one its state was taken over by. */
  public static PipelineStopException otherVersionsWindow(String time) {
    return new PipelineStopException(
        "an earlier version of the file passed on records of the window that starts at %s, which is this version's: they were bounded and charged by other rules. Stop the instances of the earlier version. If no other version runs, restore the changelogs"
            .formatted(time));
  }

  /** An older file was started. */
  public static PipelineStopException wentOnTo(int theirs, int mine) {
    return new PipelineStopException(
        "pipeline version: the state is already at version %d, but the file is version %d; run the newer file"
            .formatted(theirs, mine),
        true);
  }

  /** Of a ledger that goes on elsewhere. */
  public static PipelineStopException sealed(Pipeline pipeline) {
    return new PipelineStopException(
        "the ledger of budget '%s' is sealed: it was exported, and continues in the pipeline that imported it"
            .formatted(pipeline.budget().name()),
        true);
  }
}
