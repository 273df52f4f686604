/**
 * Benchmarks of what privacy costs: the pipeline beside bare Kafka Streams topologies that do as
 * little as possible, in turn, on one broker.
 */
package io.sfumato.bench;
