// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

/**
 * A log with a name.
 *
 * @param name for people
 * @param log everything that happens
 */
record AuditScenario(String name, AuditLog log) {}
