/** Ledgers of subjects: charges before draws, and expired periods. */
package io.sfumato.topology.budget;
