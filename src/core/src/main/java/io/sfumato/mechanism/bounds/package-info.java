/**
 * Private bounds of numbers: counts by powers of two, and the sums that are kept until bounds are
 * known.
 *
 * <p>Start with {@link BucketQuery}, which counts numbers by power of two, and {@link PowerBounds},
 * the bounds that pass.
 */
package io.sfumato.mechanism.bounds;
