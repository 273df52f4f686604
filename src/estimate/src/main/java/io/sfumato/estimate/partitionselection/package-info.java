// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans of partition selection, and intervals of the counts that it publishes. */
package io.sfumato.estimate.partitionselection;
