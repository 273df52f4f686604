/** Counts, sums, means and variances of numbers, with intervals, for a single charge. */
package io.sfumato.release.mean;
