// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Writes rows of published outputs to files, window by window. {@link
 * io.sfumato.client.export.WindowExport} reads topics until a window is complete; a {@link
 * io.sfumato.client.export.RowFile} takes the window's rows.
 */
package io.sfumato.client.export;
