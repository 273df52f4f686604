// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.roster.Roster;

/**
 * What is kept of the windows of one journal partition.
 *
 * @param watermarks how far each source partition is
 * @param datasets of subjects
 * @param roster of subjects
 * @param forgotten subjects whose closed windows are still to be released
 */
public record PartitionState(
    Watermarks watermarks, DatasetStore datasets, Roster roster, ForgottenSubjects forgotten) {}
