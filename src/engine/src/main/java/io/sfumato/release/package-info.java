/**
 * The list of kinds of release, whole files and their plans. Each kind has a room of its own below.
 * In the room of kind X lie {@code XKind}, {@code XReader} (from the file's lines), {@code XSpec}
 * (what they say), {@code XPlanner} (to a mechanism), {@code PlannedX}, {@code XReport} (what a
 * plan says), {@code XDrawer} (data to outputs), {@code XJudge} (what an audit asks), and a view of
 * each output. What is said of all kinds alike belongs into {@code io.sfumato.pipeline}; what a
 * mechanism does, into {@code io.sfumato.mechanism}.
 */
package io.sfumato.release;
