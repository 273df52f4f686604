// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that a user's properties name for a schema registry. */
final class RegistryTls {
  private RegistryTls() {}

  static Optional<SSLContext> of(Map<String, String> all) throws RefusedException {
    if (all.keySet().stream().noneMatch(name -> name.startsWith(SchemaRegistries.SSL))) {
      return Optional.empty();
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store(all, "truststore").orElse(null));
      context.init(keys(all), trust.getTrustManagers(), null);
      return Optional.of(context);
    } catch (GeneralSecurityException e) {
      throw unusable("schema.registry.ssl", e);
    }
  }

  private static KeyManager[] keys(Map<String, String> all)
      throws GeneralSecurityException, RefusedException {
    Optional<KeyStore> store = store(all, "keystore");
    if (store.isEmpty()) {
      return null;
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    String password =
        all.getOrDefault(
            SchemaRegistries.SSL + "key.password",
            all.getOrDefault(SchemaRegistries.SSL + "keystore.password", ""));
    keys.init(store.get(), password.toCharArray());
    return keys.getKeyManagers();
  }

  private static Optional<KeyStore> store(Map<String, String> all, String which)
      throws RefusedException {
    String prefix = SchemaRegistries.SSL + which;
    String location = all.get(prefix + ".location");
    if (location == null) {
      return Optional.empty();
    }
    String type = all.getOrDefault(prefix + ".type", "PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(location))) {
      if (type.equals("PEM")) {
        return Optional.of(certificates(in));
      }
      KeyStore store = KeyStore.getInstance(type);
      String password = all.get(prefix + ".password");
      store.load(in, password == null ? null : password.toCharArray());
      return Optional.of(store);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, "property '%s.location' names no file".formatted(prefix));
    } catch (KeyStoreException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "property '%s.type' is not known: PEM, PKCS12 and JKS are".formatted(prefix));
    } catch (GeneralSecurityException | IOException e) {
      throw unusable(prefix, e);
    }
  }

  private static RefusedException unusable(String prefix, Exception e) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "what the properties '%s.*' name cannot be read: check location, type and password (%s)"
            .formatted(prefix, e.getClass().getSimpleName()));
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
