// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Errors of the protocol itself: the status alone, nothing of the request or of the cause. */
final class PlainErrors implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    SecurityHeaders.add(response);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
    byte[] text = ("error " + response.getStatus() + "\n").getBytes(StandardCharsets.UTF_8);
    response.write(true, ByteBuffer.wrap(text), callback);
    return true;
  }
}
