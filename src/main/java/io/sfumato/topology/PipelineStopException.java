package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline;

/**
 * The pipeline must not go on: going on would count a record twice, relabel counts or contradict
 * the ledger. The message tells the operator what to do and holds nothing private.
 */
public final class PipelineStopException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PipelineStopException(String message) {
    super(message);
  }

  /** Of a ledger that goes on elsewhere. */
  static PipelineStopException sealed(Pipeline pipeline) {
    return new PipelineStopException(
        "the ledger of budget '%s' is sealed: it was exported, and goes on where it was imported"
            .formatted(pipeline.budget().name()));
  }
}
