/**
 * The honest baselines: exact whole-number noise on the counts (Canonne, Kamath, Steinke 2020), and
 * the post-processing that makes shares of them.
 */
package io.sfumato.mechanism.baseline;
