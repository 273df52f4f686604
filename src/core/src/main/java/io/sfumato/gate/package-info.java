// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The gate: the one place where exact data leave, the permits that it asks for, and the keys and
 * ids from which it derives randomness. The jar's manifest seals this package, so that no other jar
 * can add a class to it.
 *
 * <p>Start with {@link Gate}, which draws, and {@link LedgerRule}, which charges a ledger and
 * issues the permit that a draw needs. Keys are derived by HKDF (RFC 5869) from one {@link
 * NoiseSecret}.
 */
package io.sfumato.gate;
