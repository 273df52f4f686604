/**
 * Contribution bounding, where users are protected: which records of a user count, decided before
 * subjects are processed.
 */
package io.sfumato.topology.contributions;
