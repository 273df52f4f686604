/**
 * Sums of random features: the query and its sensitivity.
 *
 * <p>Start with {@link FeatureQuery}; {@link FeatureSensitivity} is Theorem H.
 */
package io.sfumato.mechanism.features;
