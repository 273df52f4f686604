// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

/**
 * Two logs that the pipeline promises to keep apart by no more than its budget.
 *
 * @param name what differs, in words
 * @param first one log
 * @param second the same but for what is protected
 */
record Neighbour(String name, AuditLog first, AuditLog second) {}
