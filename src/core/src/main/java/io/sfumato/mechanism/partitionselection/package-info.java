/**
 * Partition selection: noisy counts by name, published above a threshold that the name of a single
 * user passes with negligible probability.
 *
 * <p>Start with {@link DiscoveryMechanism}, which counts the names of one window ({@link
 * Threshold}, Theorem M), and {@link RunningDiscovery}, which counts them over several (Theorem N).
 */
package io.sfumato.mechanism.partitionselection;
