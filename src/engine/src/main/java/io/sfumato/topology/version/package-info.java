/**
 * What a state was made by, what its budget has granted, and who goes on with it: files, versions,
 * keys, imported ledgers.
 */
package io.sfumato.topology.version;
