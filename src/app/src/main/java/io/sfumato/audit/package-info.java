/**
 * Attacks on our own promise: does what is drawn keep what is claimed, and does a whole pipeline,
 * replayed over neighbouring logs, keep what its ledgers were charged for?
 */
package io.sfumato.audit;
