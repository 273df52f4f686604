/**
 * Counts with whole-number noise, of single windows and running over many. Unit {@code user}: what
 * one user adds is bounded before anything is counted.
 */
package io.sfumato.mechanism.count;
