// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/** One way to publish a histogram. */
public interface HistogramMechanism extends Mechanism<Histogram, HistogramRelease> {}
