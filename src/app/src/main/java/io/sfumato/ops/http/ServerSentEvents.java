// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Server-sent events for a bounded number of clients. A client gets the newest event when it has
 * taken the one before: a slow one misses some, holds no thread, and no more memory than one event.
 */
public final class ServerSentEvents {
  /** Pages open at once; more are told to come later. */
  static final int MOST_CLIENTS = 64;

  private final Set<Client> clients = ConcurrentHashMap.newKeySet();
  private final Supplier<String> now;

  /**
   * @param now makes what a page is shown first: what was sent last may be as old as the last page
   */
  public ServerSentEvents(Supplier<String> now) {
    this.now = now;
  }

  /** Pages that listen now. */
  public int clients() {
    return clients.size();
  }

  /** Sends an event to everybody who is ready for it. */
  public void send(String json) {
    byte[] event = event(json);
    clients.forEach(client -> client.send(event));
  }

  private static byte[] event(String json) {
    return ("data: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Takes a client on, if there is room. */
  synchronized boolean admit(Response response, Callback callback) {
    if (clients.size() >= MOST_CLIENTS) {
      return false;
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    Client client = new Client(response, callback);
    clients.add(client);
    client.send(event(now.get()));
    return true;
  }

  /** Ends all streams. */
  public void close() {
    clients.forEach(Client::end);
  }

  private final class Client implements Callback {
    private final Response response;
    private final Callback whole;
    private final AtomicBoolean busy = new AtomicBoolean();

    Client(Response response, Callback whole) {
      this.response = response;
      this.whole = whole;
    }

    void send(byte[] event) {
      if (busy.compareAndSet(false, true)) {
        response.write(false, ByteBuffer.wrap(event), this);
      }
    }

    void end() {
      if (clients.remove(this)) {
        whole.succeeded();
      }
    }

    @Override
    public void succeeded() {
      busy.set(false);
    }

    @Override
    public void failed(Throwable gone) {
      if (clients.remove(this)) {
        whole.failed(gone);
      }
    }
  }
}
