/**
 * Intake, from source topics to the journal: records are validated, projected, and filtered by
 * timeliness.
 */
package io.sfumato.topology.intake;
