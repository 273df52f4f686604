/** Noisy sums of features: asked once, and held against any number of candidates for nothing. */
package io.sfumato.release.features;
