// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans of bounds that are found privately. */
package io.sfumato.estimate.bounds;
