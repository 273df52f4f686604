// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QueryTest {
  @Test
  void shouldDecodeParametersAndTakeTheFirstOfAName() {
    Query query = Query.of("a=1&b=s%C3%A3o+roque&a=2&c&=d");
    assertThat(query.value("a")).contains("1");
    assertThat(query.value("b")).contains("são roque");
    assertThat(query.value("c")).contains("");
    assertThat(query.value("d")).isEmpty();
    assertThat(Query.of(null).values()).isEmpty();
  }

  @Test
  void shouldRefuseMalformedEncoding() {
    assertThatThrownBy(() -> Query.of("a=%zz")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Query.of("a=%2")).isInstanceOf(IllegalArgumentException.class);
  }
}
