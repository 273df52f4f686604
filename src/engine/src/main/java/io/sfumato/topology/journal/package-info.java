/**
 * The one order of everything private: entries, their partitions, the boundaries that close
 * windows.
 */
package io.sfumato.topology.journal;
