package io.sfumato.ops.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
    await(connection);
  }

  @Override
  public void onClosed(Connection connection) {
    stop(waiting.remove(connection));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    stop(waiting.remove(connection));
    Request.addCompletionListener(request, failure -> await(connection));
    return super.handle(request, response, callback);
  }

  private void await(Connection connection) {
    Scheduler.Task hangUp =
        scheduler.schedule(
            () -> {
              waiting.remove(connection);
              connection.getEndPoint().close();
            },
            longest.toMillis(),
            TimeUnit.MILLISECONDS);
    stop(waiting.put(connection, hangUp));
  }

  private static void stop(Scheduler.Task hangUp) {
    if (hangUp != null) {
      hangUp.cancel();
    }
  }
}
