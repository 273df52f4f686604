/**
 * What a topology is configured with and reports to: deployment, names, meters, held releases,
 * reasons to stop. Nothing here reads a journal.
 */
package io.sfumato.topology.context;
