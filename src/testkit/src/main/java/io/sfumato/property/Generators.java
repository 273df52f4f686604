// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Which generator a parameter's type and annotations ask for. */
final class Generators {
  /** Items of what has no {@link Size}. */
  static final int ITEMS = 255;

  private Generators() {}

  /**
   * Of a parameter.
   *
   * @throws IllegalArgumentException if its type is none that can be drawn
   */
  static Generator<?> of(Parameter parameter) {
    Class<?> type = parameter.getType();
    if (type.isArray()) {
      return array(type.getComponentType(), parameter);
    }
    if (type == List.class) {
      AnnotatedType item =
          ((AnnotatedParameterizedType) parameter.getAnnotatedType())
              .getAnnotatedActualTypeArguments()[0];
      return list(ofOne(item.getType(), item), parameter);
    }
    return ofOne(parameter.getParameterizedType(), parameter);
  }

  private static Generator<?> ofOne(Type type, AnnotatedElement limits) {
    if (type == int.class || type == Integer.class) {
      Optional<IntRange> range = found(limits, IntRange.class);
      Generator<Long> numbers =
          Numbers.between(
              range.map(IntRange::min).orElse(Integer.MIN_VALUE),
              range.map(IntRange::max).orElse(Integer.MAX_VALUE));
      return (random, size) -> numbers.draw(random, size).intValue();
    }
    if (type == long.class || type == Long.class) {
      Optional<LongRange> range = found(limits, LongRange.class);
      return Numbers.between(
          range.map(LongRange::min).orElse(Long.MIN_VALUE),
          range.map(LongRange::max).orElse(Long.MAX_VALUE));
    }
    if (type == double.class || type == Double.class) {
      Optional<DoubleRange> range = found(limits, DoubleRange.class);
      return Numbers.between(
          range.map(DoubleRange::min).orElse(-Double.MAX_VALUE),
          range.map(DoubleRange::max).orElse(Double.MAX_VALUE));
    }
    if (type == byte.class || type == Byte.class) {
      Generator<Long> numbers = Numbers.between(Byte.MIN_VALUE, (long) Byte.MAX_VALUE);
      return (random, size) -> numbers.draw(random, size).byteValue();
    }
    if (type == boolean.class || type == Boolean.class) {
      return (random, size) -> random.nextBoolean();
    }
    if (type == String.class) {
      return Texts.upTo(ITEMS);
    }
    if (type == Random.class) {
      return (random, size) -> new Random(random.nextLong());
    }
    throw new IllegalArgumentException(
        "no values of "
            + (type instanceof ParameterizedType ? type : type.getTypeName())
            + " can be drawn; add it to "
            + Generators.class.getName());
  }

  private static Generator<Object> array(Class<?> type, AnnotatedElement limits) {
    Generator<? extends List<?>> lists = list(ofOne(type, limits), limits);
    return (random, size) -> {
      List<?> items = lists.draw(random, size);
      Object array = Array.newInstance(type, items.size());
      for (int i = 0; i < items.size(); i++) {
        Array.set(array, i, items.get(i));
      }
      return array;
    };
  }

  private static <T> Generator<List<T>> list(Generator<T> items, AnnotatedElement limits) {
    Optional<Size> asked = found(limits, Size.class);
    int exactly = asked.map(Size::value).orElse(-1);
    int least = exactly >= 0 ? exactly : asked.map(Size::min).orElse(0);
    int most = exactly >= 0 ? exactly : asked.map(Size::max).orElse(ITEMS);
    return (random, size) -> {
      int count = Numbers.length(least, most, random, size);
      List<T> list = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        // Equal items are a case of their own, which large types would never show.
        boolean again = i > 0 && random.nextInt(16) == 0;
        list.add(again ? list.get(random.nextInt(i)) : items.draw(random, size));
      }
      return Collections.unmodifiableList(list);
    };
  }

  private static <A extends Annotation> Optional<A> found(AnnotatedElement limits, Class<A> type) {
    return Optional.ofNullable(limits.getAnnotation(type));
  }
}
