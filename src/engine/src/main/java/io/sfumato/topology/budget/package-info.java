/** Ledgers of subjects: what is charged before anything is drawn, and what past periods leave. */
package io.sfumato.topology.budget;
