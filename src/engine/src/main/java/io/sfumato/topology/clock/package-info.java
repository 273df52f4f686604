/**
 * What time it is in a source partition, and whether a record counts by it. A function of the
 * record and its partition's clock alone, so that clients may ask it, too.
 */
package io.sfumato.topology.clock;
