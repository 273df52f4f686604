// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Selections;
import io.sfumato.record.KeyFormat;
import io.sfumato.release.RowFields;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.RegisteredSchema;
import io.sfumato.serde.RowEncoder;
import io.sfumato.serde.SchemaCheck;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import io.sfumato.serde.registry.OAuthClient;
import io.sfumato.serde.registry.RegistryCredentials;
import io.sfumato.serde.registry.RegistrySettings;
import io.sfumato.serde.registry.SchemaRegistry;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema registry that a user's properties name, under the names that Confluent's clients have
 * for them: {@code schema.registry.url}, {@code schema.registry.basic.auth.user.info}, {@code
 * schema.registry.ssl.truststore.location} and so on.
 */
public final class SchemaRegistries {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaRegistries.class);
  private static final String PREFIX = "schema.registry.";
  static final String SSL = PREFIX + "ssl.";
  private static final String BASIC_SOURCE = PREFIX + "basic.auth.credentials.source";
  private static final String USER = PREFIX + "basic.auth.user.info";
  private static final String BEARER_SOURCE = PREFIX + "bearer.auth.credentials.source";
  private static final String TOKEN = PREFIX + "bearer.auth.token";

  private static final String OAUTH = "OAUTHBEARER";
  private static final String ISSUER = PREFIX + "bearer.auth.issuer.endpoint.url";
  private static final String CLIENT = PREFIX + "bearer.auth.client.id";
  private static final String SECRET = PREFIX + "bearer.auth.client.secret";
  private static final String SCOPE = PREFIX + "bearer.auth.scope";

  private static final List<String> KNOWN =
      Stream.of(
              Stream.of(PREFIX + "url", BASIC_SOURCE, USER, BEARER_SOURCE, TOKEN),
              Stream.of(ISSUER, CLIENT, SECRET, SCOPE),
              Stream.of("truststore", "keystore")
                  .flatMap(
                      store ->
                          Stream.of(".location", ".type", ".password").map(of -> SSL + store + of)),
              Stream.of(SSL + "key.password"))
          .flatMap(names -> names)
          .toList();

  private SchemaRegistries() {}

  /**
   * Where a pipeline's schemas are found; nowhere if no registry is named.
   *
   * @throws RefusedException if the properties cannot be used, or what the registry or {@code
   *     UserRecord} has does not fit the file
   */
  public static SchemaSource of(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    Optional<SchemaRegistry> registry = settings(settings.all()).map(SchemaRegistry::new);
    try {
      if (registry.isEmpty()) {
        requireNone(pipeline.input());
      }
      if (pipeline.input().format() == InputSpec.Format.AVRO
          || pipeline.input().format() == InputSpec.Format.PROTOBUF) {
        requireReadable(pipeline, registry);
      }
      if (pipeline.format() == OutputFormat.REGISTERED) {
        register(pipeline, registry);
      }
    } catch (SchemasUnavailableException e) {
      throw new RefusedException(ExitCode.REFUSED_CLUSTER, e.getMessage());
    }
    return registry.<SchemaSource>map(source -> source).orElseGet(SchemaSource::none);
  }

  /**
   * Where schemas of outputs are found; nowhere if no registry is named.
   *
   * @throws RefusedException if the properties cannot be used
   */
  public static SchemaSource of(KafkaSettings settings) throws RefusedException {
    return settings(settings.all())
        .<SchemaSource>map(SchemaRegistry::new)
        .orElseGet(SchemaSource::none);
  }

  /** Whether the settings name a registry. */
  public static boolean isNamed(KafkaSettings settings) {
    return settings.all().containsKey(PREFIX + "url");
  }

  private static void register(Pipeline pipeline, Optional<SchemaRegistry> found)
      throws RefusedException {
    SchemaRegistry registry =
        found.orElseThrow(
            () ->
                new RefusedException(
                    ExitCode.REFUSED_FILE,
                    "schemas: registry: name the registry with 'schema.registry.url'"));
    for (OutputSpec release : pipeline.outputs()) {
      registry.register(release.topic() + "-value", release.schema());
    }
    registry.register(pipeline.refusalsTopic() + "-value", Refusal.getClassSchema());
    if (pipeline.rows() != Pipeline.Rows.NONE) {
      List<String> fields = RowFields.of(pipeline);
      registry.register(pipeline.rowsTopic() + "-key", RowEncoder.keySchema(fields));
      registry.register(pipeline.rowsTopic() + "-value", RowEncoder.valueSchema(fields));
    }
    registry.register(pipeline.releasedTopic() + "-value", ReleasedThrough.getClassSchema());
    registry.register(pipeline.deadLettersTopic() + "-value", DeadLetter.getClassSchema());
  }

  /** Refuses files whose records or keys cannot be read without a registry. */
  private static void requireNone(InputSpec input) throws RefusedException {
    KeyFormat keys = input.formats().keys();
    if (keys == KeyFormat.AVRO || keys == KeyFormat.PROTOBUF) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "input.key-format %s: name the keys' schema registry with 'schema.registry.url'"
              .formatted(keys.word()));
    }
    if (input.format() == InputSpec.Format.PROTOBUF) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "input.format protobuf: name the schema registry with 'schema.registry.url'");
    }
  }

  private static void requireReadable(Pipeline pipeline, Optional<SchemaRegistry> registry)
      throws RefusedException {
    for (InputSpec selection : Selections.of(pipeline).inputs()) {
      requireReadable(pipeline, selection, registry);
    }
  }

  private static void requireReadable(
      Pipeline pipeline, InputSpec input, Optional<SchemaRegistry> registry)
      throws RefusedException {
    Optional<String> user = pipeline.population().map(Population::user);
    if (registry.isEmpty()) {
      List<String> problems = SchemaCheck.problems(UserRecord.getClassSchema(), input, user);
      if (!problems.isEmpty()) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "input.format avro: without a schema registry records are UserRecord (schemas/), and %s; name the registry with 'schema.registry.url'"
                .formatted(String.join(", ", problems)));
      }
      return;
    }
    for (String topic : input.topics().names()) {
      requireLatest(registry.get(), topic + "-value", input, user);
    }
  }

  private static void requireLatest(
      SchemaRegistry registry, String subject, InputSpec input, Optional<String> user)
      throws RefusedException {
    Optional<RegisteredSchema> latest = registry.latest(subject);
    if (latest.isPresent()) {
      List<String> problems = SchemaCheck.problems(latest.get(), input, user);
      if (!problems.isEmpty()) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "the latest schema of subject '%s' does not fit the pipeline file: %s"
                .formatted(subject, String.join(", ", problems)));
      }
    }
  }

  private static Optional<RegistrySettings> settings(Map<String, String> all)
      throws RefusedException {
    refuseUnknown(all);
    String urls = all.get(PREFIX + "url");
    if (urls == null) {
      return Optional.empty();
    }
    List<URI> uris = new ArrayList<>();
    for (String url : urls.split(",")) {
      uris.add(uri(PREFIX + "url", url.strip()));
    }
    Optional<SSLContext> tls = RegistryTls.of(all);
    RegistrySettings found = RegistrySettings.of(uris, credentials(all, tls), tls);
    exposed(found).ifPresent(LOG::warn);
    return Optional.of(found);
  }

  /** Most are misspelt, and a registry that is asked without a password refuses what it can. */
  private static void refuseUnknown(Map<String, String> all) throws RefusedException {
    List<String> unknown =
        all.keySet().stream()
            .filter(name -> name.startsWith(PREFIX) && !KNOWN.contains(name))
            .toList();
    if (!unknown.isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s not known: there are %s"
              .formatted(
                  unknown.size() == 1
                      ? "property '" + unknown.get(0) + "' is"
                      : "properties '" + String.join("', '", unknown) + "' are",
                  String.join(", ", KNOWN)));
    }
  }

  private static Optional<RegistryCredentials> credentials(
      Map<String, String> all, Optional<SSLContext> tls) throws RefusedException {
    requireSource(all, BASIC_SOURCE, List.of("USER_INFO"));
    requireSource(all, BEARER_SOURCE, List.of("STATIC_TOKEN", OAUTH));
    boolean oauth = OAUTH.equals(all.get(BEARER_SOURCE));
    for (String name : List.of(ISSUER, CLIENT, SECRET, SCOPE)) {
      if (!oauth && all.containsKey(name)) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "property '%s': only with '%s' %s".formatted(name, BEARER_SOURCE, OAUTH));
      }
    }
    if (oauth) {
      return Optional.of(oauth(all, tls));
    }
    Optional<RegistryCredentials> basic =
        Optional.ofNullable(all.getOrDefault(USER, all.get("basic.auth.user.info")))
            .map(RegistryCredentials.Basic::new);
    Optional<RegistryCredentials> bearer =
        Optional.ofNullable(all.get(TOKEN)).map(RegistryCredentials.Bearer::new);
    if (basic.isPresent() && bearer.isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "properties '%s' and '%s': give one of them".formatted(USER, TOKEN));
    }
    return basic.or(() -> bearer);
  }

  private static RegistryCredentials oauth(Map<String, String> all, Optional<SSLContext> tls)
      throws RefusedException {
    for (String name : List.of(ISSUER, CLIENT, SECRET)) {
      if (!all.containsKey(name)) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "property '%s' is missing: '%s' %s needs it".formatted(name, BEARER_SOURCE, OAUTH));
      }
    }
    for (String name : List.of(USER, "basic.auth.user.info", TOKEN)) {
      if (all.containsKey(name)) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "properties '%s' and '%s': give one of them".formatted(name, CLIENT));
      }
    }
    return new OAuthClient(
        uri(ISSUER, all.get(ISSUER)),
        all.get(CLIENT),
        all.get(SECRET),
        Optional.ofNullable(all.get(SCOPE)),
        tls);
  }

  /** Others of Confluent's sources are no sources here, and would leave the credentials out. */
  private static void requireSource(Map<String, String> all, String name, List<String> sources)
      throws RefusedException {
    if (!sources.contains(all.getOrDefault(name, sources.get(0)))) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "property '%s': allowed is %s".formatted(name, String.join(" or ", sources)));
    }
  }

  /** What whoever is on the way can read. */
  static Optional<String> exposed(RegistrySettings settings) {
    Stream<URI> issuer =
        settings.credentials().stream()
            .filter(OAuthClient.class::isInstance)
            .map(client -> ((OAuthClient) client).issuer());
    List<URI> plain =
        Stream.concat(settings.urls().stream(), issuer)
            .filter(url -> "http".equals(url.getScheme()))
            .toList();
    return settings.credentials().isEmpty() || plain.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the schema registry's password or token goes over plain http to %s: credentials can be intercepted in transit; use https"
                .formatted(plain));
  }

  private static URI uri(String property, String url) throws RefusedException {
    try {
      URI uri = URI.create(url);
      if (uri.getHost() != null
          && uri.getUserInfo() == null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Said below, without what may be a password.
    }
    throw new RefusedException(
        ExitCode.REFUSED_FILE,
        "property '%s' is no http or https URL without user and password".formatted(property));
  }
}
