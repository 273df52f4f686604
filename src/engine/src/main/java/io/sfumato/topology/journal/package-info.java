/** The journal: one order of everything private. Its entries, partitions and watermarks. */
package io.sfumato.topology.journal;
