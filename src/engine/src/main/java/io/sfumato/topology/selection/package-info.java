/**
 * Partition selection in the topology: what is kept of each name, and how the list of a window is
 * made.
 */
package io.sfumato.topology.selection;
