// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.http.PageServer;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.SchemaSource;

/** A page for people who read releases, at a port of its own. */
public final class ReadersPage implements AutoCloseable {
  /** Unless told otherwise. */
  public static final int DEFAULT_PORT = 8087;

  private final ReleaseFollower follower;
  private final PageServer server;

  private ReadersPage(ReleaseFollower follower, PageServer server) {
    this.follower = follower;
    this.server = server;
  }

  /**
   * Opens the port, and begins to read the output topics.
   *
   * @param options which options choose another address, for messages
   * @throws RefusedException if the port cannot be had, or a schema registry's settings are wrong
   */
  public static ReadersPage open(
      Pipeline pipeline, KafkaSettings settings, HttpSettings http, String options)
      throws RefusedException {
    SchemaSource schemas = SchemaRegistries.of(settings);
    PublishedWindows windows =
        new PublishedWindows(
            ReadersDocuments.shown(pipeline).stream().map(OutputSpec::name).toList(),
            PublishedWindows.MOST_BYTES);
    ReleaseFollower follower = new ReleaseFollower(settings, schemas, pipeline, windows);
    try {
      PageServer server =
          PageServer.start(
              http,
              new ReadersSite(new ReadersDocuments(pipeline, windows), follower::progress),
              options);
      return new ReadersPage(follower, server);
    } catch (RefusedException e) {
      follower.close();
      throw e;
    }
  }

  /** The port that was bound. */
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    follower.close();
  }
}
