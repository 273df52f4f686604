// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Never drops an output: a charge without its release would be lost budget. */
public final class ScrubbedProductionHandler implements ProductionExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubbedProductionHandler.class);

  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
    LOG.error(
        "{} on writing to {}: aborting the transaction",
        exception.getClass().getSimpleName(),
        record.topic());
    return exception instanceof RetriableException ? Response.retry() : Response.fail();
  }

  @Override
  public void configure(Map<String, ?> configs) {
    // Nothing to configure.
  }
}
