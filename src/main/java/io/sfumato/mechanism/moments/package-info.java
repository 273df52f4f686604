/** Counts, sums, means and variances of bounded numbers, from one noisy count's worth of budget. */
package io.sfumato.mechanism.moments;
