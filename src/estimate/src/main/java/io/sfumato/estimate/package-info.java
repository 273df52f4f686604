// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * What follows from published values and public facts: plans, error bars, densities, intervals.
 * Exact data are known to none of it but learners, which only bounds of a mechanism let act.
 *
 * <p>Start with {@link CalibrationTarget}, which states what a budget must pay for, {@link
 * PlanningModel}, which states public guesses, and {@link Estimate}, a value with its interval. The
 * packages below have one mechanism each.
 */
package io.sfumato.estimate;
