// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The privacy report on a pipeline file, for reviewers and approvers: its facts, its page, and
 * three writers.
 */
package io.sfumato.report;
