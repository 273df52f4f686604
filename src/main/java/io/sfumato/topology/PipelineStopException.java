package io.sfumato.topology;

/**
 * The pipeline must not go on: going on would count a record twice, relabel counts or contradict
 * the ledger. The message tells the operator what to do and holds nothing private.
 */
public final class PipelineStopException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PipelineStopException(String message) {
    super(message);
  }
}
