/**
 * The clock of a source partition, and whether a record is on time. Both depend on the record and
 * the partition's clock alone, so clients can compute them too.
 */
package io.sfumato.topology.clock;
