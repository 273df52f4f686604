/** Names that nobody listed: what is kept of each, and how a window's list comes about. */
package io.sfumato.topology.selection;
