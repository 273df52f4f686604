/**
 * Stores of a task: staged writes, bounded scans, and what is done before a commit. What rows mean,
 * other rooms say.
 */
package io.sfumato.topology.store;
