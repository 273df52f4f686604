/** Bounds that nobody knows, found once a budget period from noisy counts of powers of two. */
package io.sfumato.release.bounds;
