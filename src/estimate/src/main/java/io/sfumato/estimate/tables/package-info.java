// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Weights of tables, and consistent estimates by least squares. */
package io.sfumato.estimate.tables;
