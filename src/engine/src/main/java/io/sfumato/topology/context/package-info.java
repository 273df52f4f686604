/**
 * What a topology is given and tells: deployment, names, meters, held releases, what stops it.
 * Whoever runs or watches a topology may look in here; nothing here reads a journal.
 */
package io.sfumato.topology.context;
