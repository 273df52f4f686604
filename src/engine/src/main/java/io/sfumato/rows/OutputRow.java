// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

/**
 * One number of an output, in one form for every kind of release. Tables on terminals and cards on
 * the page are made of rows. Rows follow from published records, so they cost no budget.
 *
 * <p>As columns of a table: {@code subject}, {@code window_start}, {@code window_end}, {@code
 * output}, {@code noise}, {@code left_out} and {@code version} are the head's. Each field of the
 * group has a column of its own, which is empty for all records together. {@code measure} is the
 * measure's name and what it is of, after {@code running} or {@code last} where it is about more
 * than the output's own window. {@code value}, {@code low}, {@code high}, {@code deviation}, {@code
 * unknown} and {@code clamped} are the quantity's. The time of release ({@code released}) is the
 * Kafka record's, which an output does not hold. Subject, window, output, group and measure are a
 * key: no two rows of an output share one.
 *
 * @param head what it has in common with the output's other rows
 * @param about which windows' records it is about
 * @param group which of these records
 * @param measure what is measured of them
 * @param quantity the number
 * @param drawn whether noise decides it; else it is a public fact
 */
public record OutputRow(
    OutputHead head,
    Stretch about,
    Group group,
    Measure measure,
    Quantity quantity,
    boolean drawn) {}
