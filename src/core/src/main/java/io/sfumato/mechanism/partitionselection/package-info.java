/**
 * Partition selection: noisy counts by name, published above a threshold that the name of a single
 * user passes with negligible probability.
 */
package io.sfumato.mechanism.partitionselection;
