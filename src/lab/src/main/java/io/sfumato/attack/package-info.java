// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Attacks from the literature on what is claimed: lower bounds of epsilon beside the claims. */
package io.sfumato.attack;
