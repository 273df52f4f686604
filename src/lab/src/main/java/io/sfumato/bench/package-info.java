/**
 * Measures what privacy costs: the pipeline beside bare Kafka Streams topologies that do as little
 * as can be done, on the same broker, in turn.
 */
package io.sfumato.bench;
