/**
 * Whole pipeline files, their plans, and the list of kinds of release. Each kind has a package of
 * its own: {@code XKind}, {@code XReader} (reads the file's section), {@code XSpec} (its content),
 * {@code XCalibrator} (chooses a mechanism), {@code PlannedX} (the plan), {@code XReport} (facts of
 * the plan), {@code XSampler} (from a closed window to a mechanism and its input), {@code
 * XLossChecker} (for audits), and a view of each output. What all kinds share is in {@code
 * io.sfumato.pipeline}, mechanisms are in {@code io.sfumato.mechanism}.
 */
package io.sfumato.release;
