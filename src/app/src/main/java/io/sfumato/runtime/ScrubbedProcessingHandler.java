// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Fails on every exception and logs where it happened, never what the record held. In a punctuation
 * there is no record, topic or offset.
 */
public final class ScrubbedProcessingHandler implements ProcessingExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubbedProcessingHandler.class);

  @Override
  public Response handleError(
      ErrorHandlerContext context, Record<?, ?> record, Exception exception) {
    LOG.atLevel(Failures.isPlanned(exception) ? Level.INFO : Level.ERROR)
        .log(
            "{} in node {} of task {} at {}-{} offset {}: aborting the transaction",
            exception.getClass().getSimpleName(),
            context.processorNodeId(),
            context.taskId(),
            context.topic(),
            context.partition(),
            context.offset());
    return Response.fail();
  }

  @Override
  public void configure(Map<String, ?> configs) {
    // Nothing to configure.
  }
}
