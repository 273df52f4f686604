// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.ReleasedData;

/**
 * A candidate's answer.
 *
 * @param outcome 1 for accepted, 0 for rejected; or a distance in whole steps
 */
public record NoisyAnswer(long outcome) implements ReleasedData {}
