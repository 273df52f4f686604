/** Numbers, sums, means and variances of records' numbers, with error bars: one charge for all. */
package io.sfumato.release.mean;
