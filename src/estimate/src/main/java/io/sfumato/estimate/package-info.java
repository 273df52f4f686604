// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * What follows from published values and public facts: plans, error bars, densities, intervals.
 * Exact data are known to none of it but learners, which only bounds of a mechanism let act.
 */
package io.sfumato.estimate;
