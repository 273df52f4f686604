// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks, in whatever numbers and manners, changes nothing. */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class LoadIT {
  private static final int CLIENTS = 3;
  private static final int SLOW = 2_000;

  @TempDir Path folder;

  @Test
  void shouldReleaseAllTheSameWhileTheWholeWorldLooks(TestCluster cluster) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    LongAdder answers = new LongAdder();
    List<Thread> clients = new ArrayList<>();
    List<SocketChannel> slow = new ArrayList<>();
    try (Watched watched = Watched.histogramAndQuery(cluster, folder, "load")) {
      try {
        URI address = URI.create(watched.url("/"));
        for (int i = 0; i < SLOW; i++) {
          SocketChannel channel = SocketChannel.open();
          channel.configureBlocking(false);
          channel.setOption(StandardSocketOptions.SO_RCVBUF, 1_024);
          channel.connect(new InetSocketAddress(address.getHost(), address.getPort()));
          slow.add(channel);
        }
        int asking = 0;
        for (SocketChannel channel : slow) {
          asking += asks(channel) ? 1 : 0;
        }
        assertThat(asking).isGreaterThan(100);
        for (int i = 0; i < CLIENTS; i++) {
          String path = i % 2 == 0 ? "/metrics" : "/snapshot.json";
          clients.add(
              new Thread(
                  () -> {
                    while (!stop.get()) {
                      try {
                        answers.add(watched.response(path).statusCode() == 200 ? 1 : 0);
                      } catch (Exception e) {
                        // Turned away: there are enough.
                      }
                    }
                  }));
        }
        clients.forEach(Thread::start);
        for (int window = 0; window < 3; window++) {
          watched.play(window, 25);
        }
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> watched.counts().refusals() == 25 && watched.counts().releases() == 50);
        // The slow ones still hold what they were given: who asks is answered beside them.
        await().atMost(TestCluster.PATIENCE).until(() -> answers.sum() > 0);
      } finally {
        stop.set(true);
        for (Thread client : clients) {
          client.join();
        }
        for (SocketChannel channel : slow) {
          channel.close();
        }
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .ignoreExceptions()
          .until(() -> watched.response("/readyz").statusCode() == 200);
      assertThat(watched.metric("sfumato_releases_total{output=\"load-mix\"}")).isEqualTo(50);
      assertThat(watched.metric("sfumato_records_total{outcome=\"accepted\"}")).isEqualTo(3000);
    }
  }

  /** Asks for events, and will never read one. */
  private static boolean asks(SocketChannel channel) {
    String request = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try {
      return channel.finishConnect()
          && channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8))) > 0;
    } catch (IOException e) {
      return false; // not let in: there are enough
    }
  }
}
