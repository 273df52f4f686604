// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import org.junit.jupiter.api.Test;

class ClientNameTest {
  private static Pipeline pipeline(int version) throws Exception {
    return TestCluster.plan(
            """
            pipeline: shop-v3
            version: %d
            input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
            window: { size: 10s }
            budget: { name: shop-v3, unit: record, epsilon: 2, delta: 1e-6 }
            releases:
              - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 5 }
            """
                .formatted(version))
        .pipeline();
  }

  @Test
  void shouldSayWhichVersionAMemberRuns() throws Exception {
    Pipeline pipeline = pipeline(12);
    String client = ClientName.next(pipeline);
    String application = pipeline.applicationId();
    assertThat(ClientName.version(application, client)).hasValue(12);
    assertThat(ClientName.version(application, client + "-StreamThread-1-consumer")).hasValue(12);
    assertThat(ClientName.next(pipeline)).isNotEqualTo(client);
  }

  @Test
  void shouldSayNothingOfNamesThatAnOperatorChose() throws Exception {
    String application = pipeline(1).applicationId();
    assertThat(ClientName.version(application, "mine-v2-StreamThread-1-consumer")).isEmpty();
    assertThat(ClientName.version(application, application + "-v2-StreamThread-1-consumer"))
        .isEmpty();
  }
}
