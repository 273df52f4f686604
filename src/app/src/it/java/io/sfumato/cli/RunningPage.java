// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.TestCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a {@code run} serves at its port. */
final class RunningPage {
  private static final Pattern PORT = Pattern.compile("status page: http://127.0.0.1:(\\d+)/");

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  private RunningPage(int port) {
    this.port = port;
  }

  /** Finds the port in what a run has printed. */
  static RunningPage of(String printed) {
    Matcher found = PORT.matcher(printed);
    assertThat(found.find()).as(printed).isTrue();
    return new RunningPage(Integer.parseInt(found.group(1)));
  }

  /** Whether a run has printed its port. */
  static boolean isIn(String printed) {
    return PORT.matcher(printed).find();
  }

  HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  int status(String path) throws Exception {
    return get(path).statusCode();
  }

  void awaitStatus(String path, int status) {
    Patiently.await().atMost(TestCluster.PATIENCE).until(() -> status(path) == status);
  }
}
