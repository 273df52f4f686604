// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

/**
 * The share of an account that goes on with a ledger.
 *
 * @param account its name; empty where there is none, or none is known
 * @param mark identifies the share; empty if that is not known
 */
record InheritedShare(String account, String mark) {
  static final InheritedShare NONE = new InheritedShare("", "");

  static InheritedShare of(AccountClaim claim) {
    return new InheritedShare(claim.account().name(), claim.share());
  }
}
