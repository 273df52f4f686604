// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Metrics and traces for OpenTelemetry collectors. Nothing is exported that the operators' port
 * does not show.
 */
package io.sfumato.ops.otlp;
