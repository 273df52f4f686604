// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * What outputs say, whatever kind they are of: rows of one form ({@link
 * io.sfumato.rows.OutputRow}), and the two ways in which people read them, as text ({@link
 * io.sfumato.rows.OutputText}) and as cards ({@link io.sfumato.rows.Cards}). A kind gives rows and
 * hints ({@link io.sfumato.rows.Reading}). Nothing here knows a kind, a plan or Kafka.
 */
package io.sfumato.rows;
