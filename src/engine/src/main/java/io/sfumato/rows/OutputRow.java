// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

/**
 * One number of an output, in one form for every kind of release. Tables on terminals and cards on
 * the page are made of rows. Rows follow from published records, so they cost no budget.
 *
 * <p>{@link RowColumn} lists its columns in files and topics. Subject, window, output, group and
 * measure are a key: no two rows of an output share one.
 *
 * @param head what it has in common with the output's other rows
 * @param about which windows' records it is about
 * @param group which of these records
 * @param measure what is measured of them
 * @param quantity the number
 * @param drawn whether noise decides it; else it is a public fact
 * @param scope which other rows can share its noise; of no meaning for a public fact
 */
public record OutputRow(
    OutputHead head,
    Stretch about,
    Group group,
    Measure measure,
    Quantity quantity,
    boolean drawn,
    NoiseScope scope) {}
