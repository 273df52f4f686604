/**
 * Bounds that nobody knows: which powers of two numbers have, and what is kept of them by these.
 */
package io.sfumato.mechanism.bounds;
