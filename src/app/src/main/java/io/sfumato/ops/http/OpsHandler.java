// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import io.sfumato.ops.http.Content.Answer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers GET and HEAD; everything else is refused before it is looked at. */
final class OpsHandler extends Handler.Abstract {
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  private final HttpSettings settings;
  private final Site site;

  OpsHandler(HttpSettings settings, Site site) {
    this.settings = settings;
    this.site = site;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    SecurityHeaders.add(response);
    boolean head = HttpMethod.HEAD.is(request.getMethod());
    if (!head && !HttpMethod.GET.is(request.getMethod())) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
      return refuse(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "only GET and HEAD");
    }
    if (!isAddressedToUs(request)) {
      return refuse(
          response,
          callback,
          HttpStatus.MISDIRECTED_REQUEST_421,
          "this server answers only requests to localhost; start it with --host to serve other "
              + "names");
    }
    String path = request.getHttpURI().getCanonicalPath();
    Optional<Query> query = query(request);
    if (query.isEmpty()) {
      return refuse(
          response, callback, HttpStatus.BAD_REQUEST_400, "the query is not percent-encoded UTF-8");
    }
    Optional<Content> content = path == null ? Optional.empty() : site.content(path, query.get());
    Optional<ServerSentEvents> events = path == null ? Optional.empty() : site.events(path);
    if (content.isEmpty() && events.isEmpty()) {
      return refuse(
          response,
          callback,
          HttpStatus.NOT_FOUND_404,
          "no such page; there are " + String.join(", ", site.paths()));
    }
    if (!content.map(Content::isPublic).orElse(false) && !isAllowed(request)) {
      response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"sfumato\"");
      if (!isOfAScript(request)) {
        response.getHeaders().add(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"sfumato\"");
      }
      return refuse(
          response,
          callback,
          HttpStatus.UNAUTHORIZED_401,
          "access token required: send it as a bearer token, or as the password with any user "
              + "name");
    }
    if (content.isEmpty()) {
      return stream(events.get(), head, response, callback);
    }
    Answer answer = content.get().answer().get();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, content.get().type());
    return send(response, callback, answer.status(), answer.body());
  }

  /** Nothing if it is malformed. */
  private static Optional<Query> query(Request request) {
    try {
      return Optional.of(Query.of(request.getHttpURI().getQuery()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean stream(
      ServerSentEvents events, boolean head, Response response, Callback callback) {
    if (head) {
      return send(response, callback, HttpStatus.OK_200, new byte[0]);
    }
    if (!events.admit(response, callback)) {
      // And hang up: this place may be the last one, and a probe may need it.
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
      response.getHeaders().put(HttpHeader.RETRY_AFTER, 30);
      return refuse(
          response,
          callback,
          HttpStatus.SERVICE_UNAVAILABLE_503,
          "too many pages are open; close one");
    }
    return true;
  }

  /** A page that says itself that its token is refused: no browser needs to ask for another one. */
  private static boolean isOfAScript(Request request) {
    return "XMLHttpRequest".equals(request.getHeaders().get("X-Requested-With"));
  }

  private boolean isAllowed(Request request) {
    String shown = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    return settings.token().map(token -> token.isShownBy(shown)).orElse(true);
  }

  /** A foreign page must not reach this machine's server through a name of its own. */
  private boolean isAddressedToUs(Request request) {
    String name = Request.getServerName(request);
    return !LOCAL.contains(settings.host()) || name == null || LOCAL.contains(name);
  }

  private static boolean refuse(Response response, Callback callback, int status, String why) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
    return send(response, callback, status, (why + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static boolean send(Response response, Callback callback, int status, byte[] body) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
