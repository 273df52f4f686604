// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The gate: the one place where exact data leave, the permits that it asks for, and the keys and
 * ids from which it derives randomness. The jar's manifest seals this package, so that no other jar
 * can add a class to it.
 */
package io.sfumato.gate;
