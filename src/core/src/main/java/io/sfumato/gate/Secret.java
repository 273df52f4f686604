// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Sized;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Exact data without an accessor: {@link #map} computes on them and gives another secret, and
 * {@link Gate#release} publishes a noisy result of them. The code that reads a closed window makes
 * the secret, and few classes may ask for the public number of records; tests list both.
 *
 * @param <S> the exact data
 */
public final class Secret<S> {
  private final S exact;

  private Secret(S exact) {
    this.exact = Objects.requireNonNull(exact, "exact");
  }

  /** Exact data, from now on secret. */
  public static <S> Secret<S> of(S exact) {
    return new Secret<>(exact);
  }

  /**
   * The result of a query, which is as secret as its input.
   *
   * @param query has no side effects
   */
  public <T> Secret<T> map(Function<? super S, ? extends T> query) {
    return new Secret<>(query.apply(exact));
  }

  /**
   * The result of a query of two secrets.
   *
   * @param query has no side effects
   */
  public <T, U> Secret<U> with(
      Secret<T> other, BiFunction<? super S, ? super T, ? extends U> query) {
    return new Secret<>(query.apply(exact, other.exact));
  }

  /**
   * The number of records, where the unit of privacy makes it public: where one record is replaced,
   * and none is added or removed.
   *
   * @return N, at least 0; empty under any other unit
   */
  public static OptionalLong publicSize(Secret<? extends Sized> data, PrivacyUnit unit) {
    return unit == PrivacyUnit.RECORD
        ? OptionalLong.of(data.exact.records())
        : OptionalLong.empty();
  }

  /** For the gate. */
  S exact() {
    return exact;
  }

  /** Never prints data. */
  @Override
  public String toString() {
    return "Secret[masked]";
  }
}
