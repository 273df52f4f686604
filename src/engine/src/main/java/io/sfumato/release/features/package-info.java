/**
 * Noisy sums of random features: released once, compared with any number of candidates at no
 * further cost.
 */
package io.sfumato.release.features;
