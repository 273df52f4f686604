// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.ops.http.AccessToken;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.http.PageServer;
import io.sfumato.readers.ReleaseFollower.Progress;
import io.sfumato.readers.ReleaseFollower.State;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the readers' port answers. */
class ReadersSiteTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String POINTS = "/points.json?output=visits&measure=0&lines=";

  private final HttpClient client = HttpClient.newHttpClient();
  private final PublishedWindows windows =
      new PublishedWindows(List.of(Released.OUTPUT), PublishedWindows.MOST_BYTES);
  private PageServer server;

  @BeforeEach
  void start() throws Exception {
    for (int day = 0; day < 3; day++) {
      Released.add(
          windows, Released.counts("p", "north", day, List.of("a", "=b"), 10 + day, 20), day);
    }
    server =
        PageServer.start(
            new HttpSettings(HttpSettings.LOOPBACK, 0, false, Optional.of(new AccessToken(TOKEN))),
            new ReadersSite(
                new ReadersDocuments(Released.pipeline("p"), windows),
                () -> new Progress(State.CURRENT, List.of(), 0)),
            "--port");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path, String token) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return get(path, TOKEN);
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/page.js",
        "/charts.js",
        "/picker.js",
        "/style.css",
        "/icon.svg",
        "/uplot.js",
        "/uplot.css",
        "/overview.json",
        "/lines.json?output=visits",
        POINTS,
        "/rows.csv?output=visits"
      })
  void shouldWantTheTokenForEveryPathAndForbidEverythingForeign(String path) throws Exception {
    assertThat(get(path, "another-token-of-somebody").statusCode()).isEqualTo(401);
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isNotEmpty();
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'")
        .doesNotContain("unsafe");
  }

  @Test
  void shouldLetOnlyPagesThatAreOpenedAskForAPassword() throws Exception {
    URI address = URI.create("http://127.0.0.1:" + server.port() + "/overview.json");
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    assertThat(challenges(request)).anyMatch(challenge -> challenge.startsWith("Basic"));
    assertThat(challenges(request.header("X-Requested-With", "XMLHttpRequest")))
        .hasSize(1)
        .allMatch(challenge -> challenge.startsWith("Bearer"));
  }

  private List<String> challenges(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(401);
    return answer.headers().allValues("WWW-Authenticate");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metrics",
        "/snapshot.json",
        "/events",
        "/livez",
        "/readyz",
        "/page/index.html",
        "/../application.properties",
        "/lines.json/",
        "/lines.json?output=other",
        "/points.json?output=visits&measure=1",
        "/rows.csv?output=visits&measure=9"
      })
  void shouldHaveNothingOfTheOperatorsAndNoOtherPath(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).isIn(400, 404);
    assertThat(answer.body()).doesNotContain("north");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/points.json?output=visits&measure=-1",
        "/points.json?output=visits&measure=x",
        POINTS + "1;2",
        POINTS + "1,,2",
        POINTS + "99999999999",
        "/points.json?output=visits&windows=0",
        "/points.json?output=visits&windows=1001",
        "/points.json?output=visits&before=yesterday"
      })
  void shouldRefuseWhatItCannotRead(String path) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(400);
  }

  @Test
  void shouldRefuseMoreLinesThanOneAnswerHolds() throws Exception {
    String lines =
        IntStream.rangeClosed(0, Choice.MOST_LINES)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    assertThat(get(POINTS + lines).statusCode()).isEqualTo(400);
  }

  @Test
  void shouldSayWhatIsPublishedAndWhatItPromises() throws Exception {
    JsonNode output = json("/overview.json").get("outputs").get(0);
    assertThat(output.get("name").asText()).isEqualTo("visits");
    assertThat(output.get("windows").asInt()).isEqualTo(3);
    assertThat(output.get("first").asText()).isEqualTo("2026-01-01 00:00");
    assertThat(output.get("promise").asText())
        .isEqualTo(
            "This output changes the odds of any guess whether one user did anything in a window by a factor of at most 2.72 (epsilon 1), and of any guess what that user did by at most 7.39, except with probability 1e-6 (delta) and 3.8e-6.");
    JsonNode lines = json("/lines.json?output=visits&measure=0").get("lines");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).toString()).isEqualTo("[1,20,3,\"north\",0,\"=b\"]");
  }

  @Test
  void shouldSayWhenTheFirstReleaseIsDueFromThePipelineFileAlone() throws Exception {
    assertThat(json("/overview.json").get("first_window").toString())
        .isEqualTo(
            "{\"start\":\"2026-01-01 00:00\",\"end\":\"2026-01-02 00:00\",\"closes\":\"2026-01-02 00:00\"}");
  }

  @Test
  void shouldSayOfWhichProcessTheNumbersOfLinesAre() throws Exception {
    String run = json("/overview.json").get("run").asText();
    assertThat(run).isNotEmpty();
    assertThat(json("/lines.json?output=visits&measure=0").get("run").asText()).isEqualTo(run);
    assertThat(json(POINTS + "0").get("run").asText()).isEqualTo(run);
  }

  @Test
  void shouldGiveTheNewestWindowsOfTheChosenLines() throws Exception {
    JsonNode points = json(POINTS + "0&windows=2");
    assertThat(points.get("names").toString())
        .isEqualTo("[\"2026-01-02 00:00\",\"2026-01-03 00:00\"]");
    assertThat(points.get("lines")).hasSize(1);
    assertThat(points.get("lines").get(0).get("values").toString()).isEqualTo("[11,12]");
    assertThat(points.get("lines").get(0).get("lows").toString()).isEqualTo("[7,8]");
    assertThat(points.get("older").asBoolean()).isTrue();
    assertThat(points.get("newer").asBoolean()).isFalse();
    JsonNode earlier = json(POINTS + "0&windows=2&before=" + points.get("starts").get(0));
    assertThat(earlier.get("lines").get(0).get("values").toString()).isEqualTo("[10]");
    assertThat(earlier.get("newer").asBoolean()).isTrue();
  }

  @Test
  void shouldGiveTheSameNumbersAsRowsThatSpreadsheetsReadAsText() throws Exception {
    assertThat(get("/rows.csv?output=visits&measure=0&windows=1&lines=0,1").body())
        .isEqualTo(
            """
            subject,window_start,window_end,output,category,measure,value,low,high,deviation,noise,unknown,clamped,left_out,version,released,noise_scope
            north,2026-01-03T00:00:00Z,2026-01-04T00:00:00Z,visits,a,count,12,8,16,1.3569624860015788,discrete-laplace,false,false,,1,2026-01-04T00:00:05Z,row
            north,2026-01-03T00:00:00Z,2026-01-04T00:00:00Z,visits,'=b,count,20,16,24,1.3569624860015788,discrete-laplace,false,false,,1,2026-01-04T00:00:05Z,row
            """);
  }
}
