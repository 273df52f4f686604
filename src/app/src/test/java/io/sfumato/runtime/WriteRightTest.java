// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;

class WriteRightTest {
  @Test
  void shouldRefuseToTickWhereThatIsNotAllowed() {
    EnumSet<AclOperation> readers = EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE);
    assertThatThrownBy(() -> new WriteRight("in", readers).require())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("grant it WRITE on topic 'in'")
        .hasMessageContaining("sfumato tick-key");
    readers.add(AclOperation.WRITE);
    assertThatCode(() -> new WriteRight("in", readers).require()).doesNotThrowAnyException();
    assertThatCode(() -> new WriteRight("in", null).require())
        .as("a cluster that does not say")
        .doesNotThrowAnyException();
  }
}
