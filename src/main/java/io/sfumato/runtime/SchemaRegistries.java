// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.SchemaCheck;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import io.sfumato.serde.registry.RegistrySettings;
import io.sfumato.serde.registry.SchemaRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.avro.Schema;
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
  private static final String SSL = PREFIX + "ssl.";

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
      if (pipeline.input().format() == InputSpec.Format.AVRO) {
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
    registry.register(pipeline.deadLettersTopic() + "-value", DeadLetter.getClassSchema());
  }

  private static void requireReadable(Pipeline pipeline, Optional<SchemaRegistry> registry)
      throws RefusedException {
    InputSpec input = pipeline.input();
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
    String subject = input.topic() + "-value";
    Optional<Schema> latest = registry.get().latest(subject);
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
    String urls = all.get(PREFIX + "url");
    if (urls == null) {
      return Optional.empty();
    }
    List<URI> uris = new ArrayList<>();
    for (String url : urls.split(",")) {
      uris.add(uri(url.strip()));
    }
    RegistrySettings found =
        RegistrySettings.of(
            uris,
            Optional.ofNullable(
                all.getOrDefault(PREFIX + "basic.auth.user.info", all.get("basic.auth.user.info"))),
            tls(all));
    exposed(found).ifPresent(LOG::warn);
    return Optional.of(found);
  }

  /** What whoever is on the way can read. */
  static Optional<String> exposed(RegistrySettings settings) {
    List<URI> plain =
        settings.urls().stream().filter(url -> "http".equals(url.getScheme())).toList();
    return settings.credentials().isEmpty() || plain.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the schema registry's user and password go over plain http to %s: whoever is on the way reads them; name it with https"
                .formatted(plain));
  }

  private static URI uri(String url) throws RefusedException {
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
    throw refused("is no http or https URL without user and password");
  }

  private static RefusedException refused(String why) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "property 'schema.registry.url' or one of 'schema.registry.ssl': " + why);
  }

  private static Optional<SSLContext> tls(Map<String, String> all) throws RefusedException {
    if (all.keySet().stream().noneMatch(name -> name.startsWith(SSL))) {
      return Optional.empty();
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store(all, "truststore").orElse(null));
      context.init(keys(all), trust.getTrustManagers(), null);
      return Optional.of(context);
    } catch (GeneralSecurityException | IOException e) {
      throw refused("cannot be used (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static KeyManager[] keys(Map<String, String> all)
      throws GeneralSecurityException, IOException {
    Optional<KeyStore> store = store(all, "keystore");
    if (store.isEmpty()) {
      return null;
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    String password =
        all.getOrDefault(SSL + "key.password", all.getOrDefault(SSL + "keystore.password", ""));
    keys.init(store.get(), password.toCharArray());
    return keys.getKeyManagers();
  }

  private static Optional<KeyStore> store(Map<String, String> all, String which)
      throws GeneralSecurityException, IOException {
    String location = all.get(SSL + which + ".location");
    if (location == null) {
      return Optional.empty();
    }
    String type = all.getOrDefault(SSL + which + ".type", "PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(location))) {
      if (type.equals("PEM")) {
        return Optional.of(certificates(in));
      }
      KeyStore store = KeyStore.getInstance(type);
      String password = all.get(SSL + which + ".password");
      store.load(in, password == null ? null : password.toCharArray());
      return Optional.of(store);
    }
  }

  private static KeyStore certificates(InputStream in)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int place = 0;
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509").generateCertificates(in)) {
      store.setCertificateEntry("certificate-" + place++, certificate);
    }
    return store;
  }
}
