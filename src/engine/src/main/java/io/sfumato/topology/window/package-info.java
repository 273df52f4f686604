// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The state machine of one journal partition, whatever its windows hold: entries, watermarks, and
 * closed windows in slices.
 */
package io.sfumato.topology.window;
