// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.junit.jupiter.api.Test;

class AddressLimitTest {
  private static final String CALLER = "10.0.0.1";

  private final int most = OpsServer.OF_PROBES.ofAnAddress();
  private final Map<Connection, Long> idle = new HashMap<>();
  private final AddressLimit limit = new AddressLimit(most, c -> idle.getOrDefault(c, 0L));
  private final List<Connection> closed = new ArrayList<>();

  @Test
  void shouldCloseTheConnectionThatIsIdleLongestWhenAnAddressHasTooMany() {
    List<Connection> first = open(CALLER, most);
    assertThat(most).as("as documented").isEqualTo(32);
    assertThat(closed).isEmpty();
    idle.put(first.get(7), 900L);
    idle.put(first.get(3), 500L);
    open(CALLER, 2);
    assertThat(closed).containsExactly(first.get(7), first.get(3));
    assertThat(open("10.0.0.2", most)).as("another address").doesNotContainAnyElementsOf(closed);
  }

  @Test
  void shouldCloseTheOldestOfThoseThatAreIdleEquallyLong() {
    List<Connection> opened = open(CALLER, most + 268);
    assertThat(closed).isEqualTo(opened.subList(0, 268));
  }

  @Test
  void shouldMakeRoomWhenAConnectionIsClosed() {
    List<Connection> first = open(CALLER, most);
    limit.onClosed(first.get(0));
    open(CALLER, 1);
    assertThat(closed).isEmpty();
    open(CALLER, 1);
    assertThat(closed).containsExactly(first.get(1));
    limit.onClosed(first.get(1));
    open(CALLER, 1);
    assertThat(closed).as("one that was closed before took no place").hasSize(2);
  }

  private List<Connection> open(String address, int number) {
    List<Connection> opened = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      Connection connection = connection(new InetSocketAddress(address, 1_024 + i));
      limit.onOpened(connection);
      opened.add(connection);
    }
    return opened;
  }

  /** One that knows where it comes from, and notes that it is closed. */
  private Connection connection(SocketAddress remote) {
    Connection[] itself = new Connection[1];
    EndPoint end =
        proxy(
            EndPoint.class,
            name -> {
              if (name.equals("close")) {
                closed.add(itself[0]);
              }
              return name.equals("getRemoteSocketAddress") ? remote : null;
            });
    itself[0] = proxy(Connection.class, name -> name.equals("getEndPoint") ? end : null);
    return itself[0];
  }

  /** What a method of this name answers. */
  @FunctionalInterface
  private interface Answers {
    Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  case "toString" -> type.getSimpleName();
                  default -> answers.to(method.getName());
                }));
  }
}
