// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.mechanism.additive.VectorNoise;

/**
 * The least noise that a share affords, and how its releases are counted.
 *
 * @param <N> the family of noise
 * @param noise with its parameter
 * @param filter of the share: it covers the horizon
 */
public record CalibratedNoise<N extends VectorNoise>(N noise, PrivacyFilter filter) {}
