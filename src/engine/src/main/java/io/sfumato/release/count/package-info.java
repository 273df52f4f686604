/**
 * Counts of records where users are protected: of single windows, running, and over the last
 * windows.
 */
package io.sfumato.release.count;
