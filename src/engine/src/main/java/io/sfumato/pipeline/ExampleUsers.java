// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A PUBLIC example of users: what the bounds of contributions leave out of it may be told, since it
 * was made up and not taken from the data.
 *
 * @param records how many each user has in a window, 1 to {@value #MOST_RECORDS}; 1 to {@value
 *     #MOST_USERS} users
 */
public record ExampleUsers(List<Integer> records) {
  public static final int MOST_USERS = 1000;

  public static final int MOST_RECORDS = 1_000_000;

  /** What is allowed, in words. */
  public static final String ALLOWED =
      "a whole number from 1 to 1000000, or a list of 1 to 1000 of them: how many records each of"
          + " some example users has in a window";

  /**
   * @throws IllegalArgumentException if there are too many users or records, or none
   */
  public ExampleUsers {
    records = List.copyOf(records);
    if (records.isEmpty()
        || records.size() > MOST_USERS
        || records.stream().anyMatch(n -> n < 1 || n > MOST_RECORDS)) {
      throw new IllegalArgumentException(ALLOWED);
    }
  }

  /**
   * Of whole numbers with commas, such as 1,1,2,40.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static ExampleUsers parse(String text) {
    try {
      return new ExampleUsers(
          Arrays.stream(text.split(",", -1)).map(String::strip).map(Integer::valueOf).toList());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(ALLOWED, e);
    }
  }

  /**
   * Share of all their records that is left out where {@code perUser} of a user count, 0 to below
   * 1.
   */
  public double leftOut(int perUser) {
    long all = records.stream().mapToLong(Integer::longValue).sum();
    long count = records.stream().mapToLong(n -> Math.min(n, perUser)).sum();
    return (all - count) / (double) all;
  }

  /** How many users have more records than this. */
  public long beyond(int perUser) {
    return records.stream().filter(n -> n > perUser).count();
  }

  /** Records of the user who has most. */
  public int most() {
    return records.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  @Override
  public String toString() {
    return records.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
