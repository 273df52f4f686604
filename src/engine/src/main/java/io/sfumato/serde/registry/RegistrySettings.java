// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a registry is reached.
 *
 * @param urls of its instances, asked in turn
 * @param credentials of whoever asks, if the registry wants any
 * @param tls where the platform's own trust is not enough
 * @param timeout of one request
 * @param tries in all, before it counts as unavailable, at least 1
 * @param pause before the second try; it doubles with each
 * @param longest of one question, with all its tries, pauses and the schemas that the answer refers
 *     to
 */
public record RegistrySettings(
    List<URI> urls,
    Optional<RegistryCredentials> credentials,
    Optional<SSLContext> tls,
    Duration timeout,
    int tries,
    Duration pause,
    Duration longest) {
  /**
   * A question is asked in the middle of a transaction, which the cluster gives up after ten
   * seconds: half of them are left for what else is in it.
   */
  public static final Duration LONGEST = Duration.ofSeconds(5);

  public RegistrySettings {
    urls = List.copyOf(urls);
    if (urls.isEmpty() || tries < 1) {
      throw new IllegalArgumentException("a registry has a URL and is asked at least once");
    }
  }

  /** Within five seconds. */
  public RegistrySettings(
      List<URI> urls,
      Optional<RegistryCredentials> credentials,
      Optional<SSLContext> tls,
      Duration timeout,
      int tries,
      Duration pause) {
    this(urls, credentials, tls, timeout, tries, pause, LONGEST);
  }

  /** Five tries of two seconds at most, within five seconds. */
  public static RegistrySettings of(
      List<URI> urls, Optional<RegistryCredentials> credentials, Optional<SSLContext> tls) {
    return new RegistrySettings(
        urls, credentials, tls, Duration.ofSeconds(2), 5, Duration.ofMillis(200));
  }

  /** Never prints the credentials. */
  @Override
  public String toString() {
    return "RegistrySettings" + urls;
  }
}
