// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans and densities of Dirichlet draws. */
package io.sfumato.estimate.dirichlet;
