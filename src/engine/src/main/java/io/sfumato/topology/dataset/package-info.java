/**
 * What is kept of subjects' windows until they are released, and of whom nothing may be kept any
 * more.
 */
package io.sfumato.topology.dataset;
