/** Queries of modellers: candidates that wait, answers, and the end of a query. */
package io.sfumato.topology.query;
