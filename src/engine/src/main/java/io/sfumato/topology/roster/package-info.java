/** Who is released when a window closes, where that does not follow from records. */
package io.sfumato.topology.roster;
