// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ops.GroupOperations.Next;
import io.sfumato.ops.http.HttpSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What probes are told of a process with several pipelines that have not started. */
class GroupOperationsTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> get(GroupOperations operations, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + operations.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private int status(GroupOperations operations, String path) throws Exception {
    return get(operations, path).statusCode();
  }

  private static GroupOperations opened() throws Exception {
    return new GroupOperations(
        List.of("a.yaml", "b.yaml"),
        new HttpSettings(HttpSettings.LOOPBACK, 0, true, Optional.empty()));
  }

  /** A restart would start them no sooner, and a pod that is killed cannot wait for its cluster. */
  @Test
  void shouldLiveWhileAllPipelinesWaitForAnotherStart() throws Exception {
    try (GroupOperations operations = opened()) {
      assertThat(status(operations, "/livez")).isEqualTo(200);
      operations.ended("a.yaml", 4, Next.STARTED_AGAIN);
      operations.ended("b.yaml", 1, Next.STARTED_AGAIN);
      assertThat(status(operations, "/livez")).isEqualTo(200);
      assertThat(status(operations, "/readyz")).isEqualTo(503);
      assertThat(get(operations, "/").body())
          .contains("ended with exit code 4, waits for another start");
    }
  }

  @Test
  void shouldLiveUntilAPersonHasToLookAtAllPipelines() throws Exception {
    try (GroupOperations operations = opened()) {
      operations.ended("a.yaml", 3, Next.NOTHING);
      assertThat(status(operations, "/livez")).as("b has not been read").isEqualTo(200);
      assertThat(status(operations, "/startupz")).isEqualTo(503);
      operations.ended("b.yaml", 5, Next.NOTHING);
      assertThat(status(operations, "/livez")).isEqualTo(503);
      assertThat(status(operations, "/startupz")).isEqualTo(200);
      assertThat(get(operations, "/pipelines.json").body()).contains("\"ended\" : 5");
    }
  }
}
