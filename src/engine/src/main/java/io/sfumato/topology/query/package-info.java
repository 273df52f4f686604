/** Candidates of modellers: which wait, which are answered, when a query is over. */
package io.sfumato.topology.query;
