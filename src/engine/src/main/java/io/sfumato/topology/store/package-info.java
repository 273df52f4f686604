/**
 * Stores of a task: staged writes, bounded scans, and work before each commit. Other packages
 * define the rows.
 */
package io.sfumato.topology.store;
