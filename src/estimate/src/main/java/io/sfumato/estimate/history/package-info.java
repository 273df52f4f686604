// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * What a subject's earlier releases, which are public, say of what its counts with noise were: a
 * prior fitted to them, and posterior means. Post-processing: it knows no private number.
 */
package io.sfumato.estimate.history;
