/**
 * Answers to a modeller's candidates: decisions, weights, sparse vectors. Unlike other kinds it is
 * asked, so that it has no sampler: {@code io.sfumato.topology} keeps its queries.
 */
package io.sfumato.release.abc;
