// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.IdleTimeout;

/**
 * Limits the connections of one address: one caller must not take every place. Where an address has
 * too many, the one that has been idle longest is closed, so that a scraper behind the same proxy,
 * or on the same machine, is always let in. Of IPv6 the first half of an address counts, since its
 * owner has all of the rest.
 */
final class AddressLimit implements Connection.Listener {
  private static final int NETWORK_BYTES = 8;

  private final int most;
  private final ToLongFunction<Connection> idleFor;

  /** The connections of each caller, oldest first. */
  private final Map<String, Set<Connection>> open = new HashMap<>();

  /** The address of each connection, which a closed one no longer knows. */
  private final Map<Connection, String> callers = new HashMap<>();

  AddressLimit(int most) {
    this(most, AddressLimit::idleFor);
  }

  /**
   * @param idleFor milliseconds since a connection was last read from or written to
   */
  AddressLimit(int most, ToLongFunction<Connection> idleFor) {
    this.most = most;
    this.idleFor = idleFor;
  }

  @Override
  public void onOpened(Connection connection) {
    excess(connection).ifPresent(longest -> longest.getEndPoint().close());
  }

  /** Takes a connection in; if its address has too many now, another one of these must go. */
  private synchronized Optional<Connection> excess(Connection connection) {
    String caller = caller(connection.getEndPoint().getRemoteSocketAddress());
    callers.put(connection, caller);
    Set<Connection> ofCaller = open.getOrDefault(caller, Set.of());
    Optional<Connection> longest =
        ofCaller.size() < most
            ? Optional.empty()
            : ofCaller.stream().max(Comparator.comparingLong(idleFor)); // the oldest of equals
    longest.ifPresent(this::onClosed);
    open.computeIfAbsent(caller, c -> new LinkedHashSet<>()).add(connection);
    return longest;
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    String caller = callers.remove(connection);
    if (caller != null) {
      Set<Connection> ofCaller = open.get(caller);
      ofCaller.remove(connection);
      if (ofCaller.isEmpty()) {
        open.remove(caller);
      }
    }
  }

  private static long idleFor(Connection connection) {
    return connection.getEndPoint() instanceof IdleTimeout end ? end.getIdleFor() : 0;
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
