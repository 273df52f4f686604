// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Combines exported rows: sums, differences, ratios and means with correct 95% intervals. A
 * combination without a valid interval is refused, with what to do instead. clients/sfumato_rows.py
 * does the same in Python; {@code CombineClientsIT} compares the two.
 */
package io.sfumato.combine;
