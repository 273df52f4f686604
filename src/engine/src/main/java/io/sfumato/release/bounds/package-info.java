/** Bounds of numbers, found privately once a budget period from noisy counts of powers of two. */
package io.sfumato.release.bounds;
