// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.OptionalInt;

/**
 * How long the list of subjects that an output finds may be, and how long they stay in it.
 *
 * @param most public subjects of a partition, at least 1: beyond them none is looked for
 * @param forgetAfter windows in which a public subject did not pass, after which it leaves, at
 *     least 1; empty where none ever leaves
 */
public record DiscoveryLimits(int most, OptionalInt forgetAfter) {}
