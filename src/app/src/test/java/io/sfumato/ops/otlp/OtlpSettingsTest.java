// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpSettingsTest {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

  private static Map<String, String> with(String... more) {
    Map<String, String> environment = new HashMap<>();
    environment.put(ENDPOINT, "http://collector:4318");
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return environment;
  }

  private static OtlpSettings of(Map<String, String> environment) throws RefusedException {
    return OtlpSettings.of(environment, Optional.empty()).orElseThrow();
  }

  @Test
  void shouldExportNothingWithoutAnEndpoint() throws Exception {
    assertThat(OtlpSettings.of(Map.of(), Optional.empty())).isEmpty();
    assertThat(OtlpSettings.of(Map.of(ENDPOINT, " "), Optional.empty())).isEmpty();
    assertThat(OtlpSettings.of(with("OTEL_SDK_DISABLED", "True"), Optional.empty())).isEmpty();
    assertThat(
            OtlpSettings.of(
                with("OTEL_METRICS_EXPORTER", "none", "OTEL_TRACES_EXPORTER", "none"),
                Optional.empty()))
        .isEmpty();
  }

  @Test
  void shouldSendBothSignalsBelowTheCommonEndpoint() throws Exception {
    OtlpSettings settings = of(with());
    assertThat(settings.metrics().orElseThrow().url())
        .hasToString("http://collector:4318/v1/metrics");
    assertThat(settings.traces().orElseThrow().url())
        .hasToString("http://collector:4318/v1/traces");
    assertThat(settings.interval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.resource()).containsExactly(Map.entry("service.name", "sfumato"));
  }

  @Test
  void shouldPreferWhatIsSaidOfOneSignal() throws Exception {
    OtlpSettings settings =
        of(
            with(
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
                "https://metrics.example/push",
                HEADERS,
                "a=1",
                "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
                "b=2",
                "OTEL_TRACES_EXPORTER",
                "none"));
    assertThat(settings.metrics().orElseThrow().url()).hasToString("https://metrics.example/push");
    assertThat(settings.metrics().orElseThrow().headers()).containsExactly(Map.entry("b", "2"));
    assertThat(settings.traces()).isEmpty();
  }

  @Test
  void shouldReadTheRest() throws Exception {
    OtlpSettings settings =
        of(
            with(
                "OTEL_METRIC_EXPORT_INTERVAL",
                "15000",
                "OTEL_SERVICE_NAME",
                "wards",
                "OTEL_RESOURCE_ATTRIBUTES",
                "service.name=other,deployment.environment.name=a%20b",
                "OTEL_EXPORTER_OTLP_COMPRESSION",
                "gzip",
                "OTEL_EXPORTER_OTLP_TIMEOUT",
                "2500"));
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(15));
    assertThat(settings.resource())
        .isEqualTo(Map.of("service.name", "wards", "deployment.environment.name", "a b"));
    assertThat(settings.metrics().orElseThrow().compressed()).isTrue();
    assertThat(settings.traces().orElseThrow().timeout()).isEqualTo(Duration.ofMillis(2500));
  }

  @ParameterizedTest
  @CsvSource({
    "OTEL_EXPORTER_OTLP_PROTOCOL, grpc, http/protobuf",
    "OTEL_EXPORTER_OTLP_ENDPOINT, collector:4318, http://collector:4318",
    "OTEL_EXPORTER_OTLP_ENDPOINT, http://:4318, http://collector:4318",
    "OTEL_METRIC_EXPORT_INTERVAL, 10s, milliseconds",
    "OTEL_METRIC_EXPORT_INTERVAL, 999, milliseconds",
    "OTEL_EXPORTER_OTLP_TIMEOUT, 0, milliseconds",
    "OTEL_EXPORTER_OTLP_COMPRESSION, zstd, gzip or none",
    "OTEL_METRICS_EXPORTER, prometheus, otlp or none",
    "OTEL_RESOURCE_ATTRIBUTES, a, entry 1 is not NAME=VALUE"
  })
  void shouldRefuseWhatItCannotDo(String name, String value, String expected) {
    assertThatThrownBy(() -> OtlpSettings.of(with(name, value), Optional.empty()))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(name)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "OTEL_EXPORTER_OTLP_HEADERS; canary",
        "OTEL_EXPORTER_OTLP_HEADERS; a=1,=canary",
        "OTEL_EXPORTER_OTLP_HEADERS; a=%canary",
        "OTEL_EXPORTER_OTLP_HEADERS; b d=canary",
        "OTEL_EXPORTER_OTLP_HEADERS; a=canary%0d%0ab",
        "OTEL_EXPORTER_OTLP_HEADERS; Host=canary",
        "OTEL_EXPORTER_OTLP_ENDPOINT; http://user:canary@collector:4318",
        "OTEL_EXPORTER_OTLP_ENDPOINT; http://collector:4318?token=canary",
        "OTEL_EXPORTER_OTLP_ENDPOINT; http://collector:4318/ canary"
      })
  void shouldQuoteNoSecretWhereItRefuses(String name, String value) {
    assertThatThrownBy(() -> OtlpSettings.of(with(name, value), Optional.empty()))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(name)
        .hasMessageNotContaining("canary");
  }

  @Test
  void shouldMaskHeadersWhereItSaysWhatIsSet() throws Exception {
    OtlpSettings settings = of(with(HEADERS, "authorization=Bearer%20canary,x-tenant=canary"));
    assertThat(settings.metrics().orElseThrow().headers())
        .isEqualTo(Map.of("authorization", "Bearer canary", "x-tenant", "canary"));
    assertThat(settings.words())
        .doesNotContain("canary", "\n")
        .contains(
            "metrics every 60000 ms to http://collector:4318/v1/metrics (headers"
                + " authorization=***, x-tenant=***)",
            "traces to http://collector:4318/v1/traces",
            "service.name=sfumato");
  }

  @Test
  void shouldTakeHeadersOfAFileInsteadOfTheEnvironment() throws Exception {
    Map<String, String> ofFile = OtlpSettings.headers("file", "authorization=Bearer x+y\n");
    OtlpSettings settings =
        OtlpSettings.of(with(HEADERS, "a=1"), Optional.of(ofFile)).orElseThrow();
    assertThat(settings.traces().orElseThrow().headers())
        .isEqualTo(Map.of("authorization", "Bearer x+y"));
    assertThat(OtlpSettings.headersIn(with(HEADERS, "a=1"))).containsExactly(HEADERS);
    assertThat(OtlpSettings.headersIn(with())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://collector:4318, a=canary, true",
    "http://collector:4318, '', false",
    "https://collector:4318, a=canary, false",
    "http://127.0.0.1:4318, a=canary, false",
    "http://localhost:4318, a=canary, false"
  })
  void shouldWarnWhereHeadersCrossANetworkInTheClear(String url, String headers, boolean warns)
      throws Exception {
    Optional<String> warning = of(with(ENDPOINT, url, HEADERS, headers)).exposed();
    assertThat(warning.isPresent()).isEqualTo(warns);
    warning.ifPresent(w -> assertThat(w).contains(url).doesNotContain("canary"));
  }
}
