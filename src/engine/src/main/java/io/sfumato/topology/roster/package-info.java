/** The roster: subjects that are released in every window, even when they have no records. */
package io.sfumato.topology.roster;
