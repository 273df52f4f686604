/** From foreign topics to the journal: validated, projected, judged by the clock. */
package io.sfumato.topology.intake;
