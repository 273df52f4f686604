/**
 * What a modeller makes of one noisy release: how likely it is under a candidate, and the posterior
 * that follows. Post-processing of what was published: it costs nothing, however often it is done,
 * and nothing here sees private data.
 */
package io.sfumato.inference;
