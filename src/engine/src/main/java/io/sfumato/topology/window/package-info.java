// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The state machine of a journal partition's windows, whatever they hold: entries, boundaries, and
 * closed windows in slices.
 */
package io.sfumato.topology.window;
