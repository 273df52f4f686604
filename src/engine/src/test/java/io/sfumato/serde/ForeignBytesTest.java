// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.bytes.CorruptBytesException;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignBytesTest {
  private static final String CONTENT = "the content of a record";

  static List<Throwable> whateverParsersThrow() {
    return List.of(
        new IOException(CONTENT),
        new ArithmeticException(CONTENT),
        new IllegalArgumentException(CONTENT),
        new NullPointerException(CONTENT),
        new NoSuchElementException(CONTENT),
        new ClassCastException(CONTENT),
        new IndexOutOfBoundsException(CONTENT),
        new StackOverflowError(CONTENT));
  }

  private static <T> T failing(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (Exception) failure;
  }

  @ParameterizedTest
  @MethodSource("whateverParsersThrow")
  void shouldRefuseWhateverGoesWrongAndSayNothingOfIt(Throwable failure) {
    assertThatThrownBy(() -> ForeignBytes.orReject(RejectionCode.MALFORMED, () -> failing(failure)))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.MALFORMED))
        .hasNoCause()
        .hasMessageNotContaining(CONTENT);
    assertThatThrownBy(() -> ForeignBytes.orCorrupt("no such thing", () -> failing(failure)))
        .isInstanceOf(CorruptBytesException.class)
        .hasMessage("no such thing")
        .hasNoCause();
    assertThat(ForeignBytes.ifReadable(() -> failing(failure))).isEmpty();
  }

  @Test
  void shouldKeepTheReasonThatTheReaderGives() {
    assertThatThrownBy(
            () ->
                ForeignBytes.orReject(
                    RejectionCode.MALFORMED,
                    () -> failing(new RejectedRecordException(RejectionCode.NO_TIME))))
        .hasMessage("NO_TIME");
    assertThatThrownBy(
            () ->
                ForeignBytes.orCorrupt("else", () -> failing(new CorruptBytesException("a time"))))
        .hasMessage("a time");
  }

  /** Nobody could say what they mean: they are neither taken in nor refused. */
  @Test
  void shouldNotRefuseWhatNobodyCouldJudge() {
    SchemasUnavailableException down = new SchemasUnavailableException("down");
    assertThatThrownBy(() -> ForeignBytes.orReject(RejectionCode.MALFORMED, () -> failing(down)))
        .isSameAs(down);
    assertThatThrownBy(() -> ForeignBytes.ifReadable(() -> failing(down))).isSameAs(down);
  }

  @Test
  void shouldNotTakeAFullMemoryForARecord() {
    OutOfMemoryError full = new OutOfMemoryError();
    assertThatThrownBy(() -> ForeignBytes.ifReadable(() -> failing(full))).isSameAs(full);
  }

  @Test
  void shouldKeepWhatWasUsedLastWithinItsWeight() {
    WeighedCache<String, Integer> cache = new WeighedCache<>(10);
    cache.put("a", 1, 4);
    cache.put("b", 2, 4);
    assertThat(cache.get("a")).contains(1);
    cache.put("c", 3, 4);
    assertThat(cache.get("b")).as("used longest ago").isEmpty();
    assertThat(cache.get("a")).contains(1);
    assertThat(cache.weight()).isEqualTo(8);
    cache.put("a", 4, 9);
    assertThat(cache.get("c")).isEmpty();
    assertThat(cache.weight()).isEqualTo(9);
    cache.put("d", 5, 11);
    assertThat(cache.get("d")).as("too heavy alone").isEmpty();
    assertThat(cache.get("a")).contains(4);
    cache.remove("a");
    assertThat(cache.weight()).isZero();
  }
}
