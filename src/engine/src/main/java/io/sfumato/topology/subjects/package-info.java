/** The state machine of subjects: from journal entries to outputs. */
package io.sfumato.topology.subjects;
