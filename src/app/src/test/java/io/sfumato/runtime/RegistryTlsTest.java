// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a registry is shown and must show, by the files that properties name. */
class RegistryTlsTest {
  private static final String PASSWORD = "changeit";
  private static final String SSL = "schema.registry.ssl.";

  @TempDir Path folder;

  private Path store;
  private Path key;
  private Path certificate;

  @BeforeEach
  void write() throws Exception {
    store = TestKeyStore.in(folder, PASSWORD);
    KeyStore keys = keys();
    key =
        pem(
            "client.pem",
            block("PRIVATE KEY", keys.getKey("localhost", PASSWORD.toCharArray()).getEncoded())
                + block("CERTIFICATE", keys.getCertificate("localhost").getEncoded()));
    certificate =
        pem("ca.pem", block("CERTIFICATE", keys.getCertificate("localhost").getEncoded()));
  }

  private KeyStore keys() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private Path pem(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String block(String kind, byte[] content) {
    return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(content));
  }

  @Test
  void shouldShowTheCertificateOfAPemFile() throws Exception {
    assertThat(shown(pemProperties())).isEqualTo("CN=localhost");
  }

  @Test
  void shouldShowTheCertificateOfAPkcs12File() throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put(SSL + "truststore.location", store.toString());
    properties.put(SSL + "truststore.password", PASSWORD);
    properties.put(SSL + "keystore.location", store.toString());
    properties.put(SSL + "keystore.password", PASSWORD);
    assertThat(shown(properties)).isEqualTo("CN=localhost");
  }

  @Test
  void shouldNameTheStoreThatCannotBeRead() throws Exception {
    Map<String, String> properties = pemProperties();
    properties.put(SSL + "keystore.location", certificate.toString());
    assertThatThrownBy(() -> RegistryTls.of(properties))
        .as("a certificate without its key")
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("'schema.registry.ssl.keystore.*'")
        .hasMessageContaining("check location, type and password")
        .message()
        .doesNotContain(certificate.toString(), "BEGIN");
    properties.put(SSL + "truststore.location", key.resolveSibling("none").toString());
    assertThatThrownBy(() -> RegistryTls.of(properties))
        .hasMessage("property 'schema.registry.ssl.truststore.location' names no file");
  }

  private Map<String, String> pemProperties() {
    Map<String, String> properties = new HashMap<>();
    properties.put(SSL + "truststore.type", "PEM");
    properties.put(SSL + "truststore.location", certificate.toString());
    properties.put(SSL + "keystore.type", "PEM");
    properties.put(SSL + "keystore.location", key.toString());
    return properties;
  }

  /** Whom a server that wants a certificate sees. */
  private String shown(Map<String, String> properties) throws Exception {
    SSLContext client = RegistryTls.of(properties).orElseThrow();
    try (SSLServerSocket server =
        (SSLServerSocket)
            server()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setNeedClientAuth(true);
      CompletableFuture<String> seen = CompletableFuture.supplyAsync(() -> accept(server));
      try (SSLSocket socket =
          (SSLSocket)
              client
                  .getSocketFactory()
                  .createSocket(server.getInetAddress(), server.getLocalPort())) {
        socket.startHandshake();
        socket.getOutputStream().write(1);
        return seen.get();
      }
    }
  }

  private static String accept(SSLServerSocket server) {
    try (SSLSocket socket = (SSLSocket) server.accept()) {
      assertThat(socket.getInputStream().read()).isEqualTo(1);
      return socket.getSession().getPeerPrincipal().getName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SSLContext server() throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys(), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("client", keys().getCertificate("localhost"));
    TrustManagerFactory others =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    others.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), others.getTrustManagers(), null);
    return context;
  }
}
