/** Metrics, health and status for operators. Nothing here carries a subject or a raw value. */
package io.sfumato.ops;
