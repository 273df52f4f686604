// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * One sheet about a pipeline file, for whoever must sign it: facts, a page of them, three writers.
 */
package io.sfumato.report;
