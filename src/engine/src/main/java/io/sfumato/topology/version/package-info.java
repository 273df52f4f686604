/**
 * Provenance of a state and its versions: files, keys, granted shares, imported ledgers, and which
 * version may continue it.
 */
package io.sfumato.topology.version;
