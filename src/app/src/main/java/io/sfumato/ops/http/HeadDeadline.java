// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Hangs up on connections without a request: whoever connects, or has got an answer, has so long to
 * send a whole head, however many bytes of it come in between. Jetty's own time-outs begin anew
 * with every byte.
 */
final class HeadDeadline extends Handler.Wrapper implements Connection.Listener {
  /** Of whoever was told to come later, and does not hang up. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final Duration longest;
  private final Map<Connection, Scheduler.Task> waiting = new ConcurrentHashMap<>();

  HeadDeadline(Scheduler scheduler, Duration longest, Handler next) {
    super(next);
    this.scheduler = scheduler;
    this.longest = longest;
  }

  @Override
  public void onOpened(Connection connection) {
    await(connection, longest);
  }

  @Override
  public void onClosed(Connection connection) {
    stop(waiting.remove(connection));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    stop(waiting.remove(connection));
    Request.addCompletionListener(
        request, failure -> await(connection, isLast(response) ? LINGER : longest));
    return super.handle(request, response, callback);
  }

  /** Whether the answer said that nothing comes after it. */
  private static boolean isLast(Response response) {
    return response.getHeaders().contains(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
  }

  private void await(Connection connection, Duration patience) {
    Scheduler.Task hangUp =
        scheduler.schedule(
            () -> {
              waiting.remove(connection);
              connection.getEndPoint().close();
            },
            patience.toMillis(),
            TimeUnit.MILLISECONDS);
    stop(waiting.put(connection, hangUp));
  }

  private static void stop(Scheduler.Task hangUp) {
    if (hangUp != null) {
      hangUp.cancel();
    }
  }
}
