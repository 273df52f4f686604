/**
 * Audits of the promise on synthetic data: replays a pipeline on two logs that differ in one
 * privacy unit, and compares the loss of its outputs with what was charged.
 */
package io.sfumato.audit;
