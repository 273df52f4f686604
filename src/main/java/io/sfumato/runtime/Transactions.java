package io.sfumato.runtime;

import io.sfumato.topology.LocalState.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Knows which transactions were committed: those whose commit the producer acknowledged. Kafka
 * Streams has one producer a stream thread, and writes, begins, commits and aborts on that thread.
 */
final class Transactions {
  private final ThreadLocal<Outcome> current = ThreadLocal.withInitial(Outcome::new);

  private static final class Outcome implements Transaction {
    private volatile boolean committed;

    @Override
    public boolean isCommitted() {
      return committed;
    }
  }

  /** The one that this thread's next write will be part of, begun or not. */
  Transaction current() {
    return current.get();
  }

  /** Clients of another supplier, whose producers tell what becomes of their transactions. */
  KafkaClientSupplier watch(KafkaClientSupplier clients) {
    return new KafkaClientSupplier() {
      @Override
      public Admin getAdmin(Map<String, Object> config) {
        return clients.getAdmin(config);
      }

      @Override
      public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return watched(clients.getProducer(config));
      }

      @Override
      public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return clients.getConsumer(config);
      }

      @Override
      public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return clients.getRestoreConsumer(config);
      }

      @Override
      public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return clients.getGlobalConsumer(config);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> watched(Producer<byte[], byte[]> producer) {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> call(producer, method, arguments));
  }

  private Object call(Producer<byte[], byte[]> producer, Method method, Object[] arguments)
      throws Throwable {
    try {
      return switch (method.getName()) {
        case "commitTransaction" -> {
          // Whatever is written from here on is part of the next one, also if this one fails.
          Outcome outcome = current.get();
          current.remove();
          Object nothing = method.invoke(producer, arguments);
          outcome.committed = true;
          yield nothing;
        }
        case "abortTransaction", "initTransactions", "close" -> {
          current.remove();
          yield method.invoke(producer, arguments);
        }
        default -> method.invoke(producer, arguments);
      };
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
