// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;

/**
 * Hangs up on whoever has as many connections as an address may have: one caller must not take
 * every place. Of IPv6 the first half of an address counts, since its owner has all of the rest.
 */
final class AddressLimit implements Connection.Listener {
  private static final int NETWORK_BYTES = 8;

  private final int most;
  private final Map<Connection, String> callers = new ConcurrentHashMap<>();
  private final Map<String, Integer> connections = new ConcurrentHashMap<>();

  AddressLimit(int most) {
    this.most = most;
  }

  @Override
  public void onOpened(Connection connection) {
    String caller = caller(connection.getEndPoint().getRemoteSocketAddress());
    callers.put(connection, caller);
    if (connections.merge(caller, 1, Integer::sum) > most) {
      connection.getEndPoint().close();
    }
  }

  @Override
  public void onClosed(Connection connection) {
    String caller = callers.remove(connection);
    if (caller != null) {
      connections.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
    }
  }

  static String caller(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress socket) || socket.getAddress() == null) {
      return "";
    }
    InetAddress address = socket.getAddress();
    return address instanceof Inet6Address
        ? Arrays.toString(Arrays.copyOf(address.getAddress(), NETWORK_BYTES))
        : address.getHostAddress();
  }
}
