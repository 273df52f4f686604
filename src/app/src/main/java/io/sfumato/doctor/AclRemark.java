// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static io.sfumato.doctor.Finding.Severity.WARNING;

import io.sfumato.doctor.Finding.Severity;
import org.apache.kafka.common.acl.AclOperation;

/** What is said of all resources that it is true of, together. */
record AclRemark(Severity severity, String may, String principal, String words) {
  boolean isOf(AclOperation operation) {
    return may.equals(Risk.may(operation));
  }

  /** Somebody has to read outputs and dead letters, and to command. */
  boolean mayBeMeant() {
    return severity == WARNING
        && !principal.equals(AccessRules.EVERYBODY)
        && (isOf(AclOperation.READ) || isOf(AclOperation.WRITE));
  }
}
