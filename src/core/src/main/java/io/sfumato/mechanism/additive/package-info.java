/**
 * Whole-number noise that is added to counts (Canonne, Kamath, Steinke 2020): one law for
 * histograms and counts, what it costs, and the post-processing that makes shares of noisy counts.
 */
package io.sfumato.mechanism.additive;
