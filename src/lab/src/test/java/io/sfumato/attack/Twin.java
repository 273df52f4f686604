// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

/**
 * A mechanism that is broken on purpose, under the promise of the one that it was made of.
 *
 * @param broken what is wrong with it
 * @param honest the one that keeps its promise
 * @param target the one that does not
 */
record Twin(String broken, AttackTarget honest, AttackTarget target) {
  /** Promises what the honest one does. */
  static Twin of(String broken, AttackTarget honest, AttackTarget target) {
    return new Twin(broken, honest, target.asPromisedBy(honest));
  }
}
