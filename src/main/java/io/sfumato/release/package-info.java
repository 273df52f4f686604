/**
 * The list of kinds of release, whole files and their plans. Each kind has a room of its own below:
 * its spec, reader, planner, report, drawer, judge and view. What is said of all kinds alike
 * belongs into {@code io.sfumato.pipeline}; what a mechanism does, into {@code
 * io.sfumato.mechanism}.
 */
package io.sfumato.release;
