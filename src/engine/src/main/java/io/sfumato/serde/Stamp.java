// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

/**
 * Under which file a journal entry was written.
 *
 * @param version of the file, at least 1
 * @param digest of what the file plans and of the noise key's tag, cut short: it tells files apart
 *     by mistake, and is no secret
 */
public record Stamp(int version, long digest) {}
