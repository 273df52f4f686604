/**
 * Private bounds of numbers: counts by powers of two, and the sums that are kept until bounds are
 * known.
 */
package io.sfumato.mechanism.bounds;
