// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.mechanism.ReleasedData;

/**
 * A synthetic item, drawn from the law of a dataset.
 *
 * @param point its category and numbers
 */
public record DrawnItem(Point point) implements ReleasedData {}
