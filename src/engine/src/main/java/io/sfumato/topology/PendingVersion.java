// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

/**
 * A version that waits for its turn.
 *
 * @param from start of its first window, milliseconds since 1970
 */
public record PendingVersion(int version, long from) {}
