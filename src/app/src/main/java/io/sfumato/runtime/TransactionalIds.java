// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Names of transactions, which a cluster allows by prefix: {@code sfumato-BUDGET/...}. No budget's
 * name holds a slash, so no budget's prefix is the beginning of another's. Kafka Streams would
 * write {@code sfumato-BUDGET-...}, and whoever may fence {@code sfumato-a-} may fence budget
 * {@code a-b}.
 */
public final class TransactionalIds {
  private static final char END = '/';

  /** What Kafka Streams appends to an application's name: its process's id, and the thread. */
  private static final Pattern OF_STREAMS =
      Pattern.compile("(.+)-(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}-\\d+)");

  private TransactionalIds() {}

  /** What every one of an application begins with, and no other's. */
  public static String prefix(String applicationId) {
    return applicationId + END;
  }

  /** One of an application. */
  public static String of(String applicationId, String purpose) {
    return prefix(applicationId) + purpose;
  }

  /** The settings of a producer of Kafka Streams, with a name that ends the budget's. */
  static Map<String, Object> narrowed(Map<String, Object> producer) {
    Object wide = producer.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    Matcher parts = OF_STREAMS.matcher(String.valueOf(wide));
    if (!parts.matches()) {
      return producer;
    }
    Map<String, Object> narrowed = new HashMap<>(producer);
    narrowed.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, of(parts.group(1), parts.group(2)));
    return narrowed;
  }
}
