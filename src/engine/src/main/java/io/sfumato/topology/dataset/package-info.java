/** Datasets of subjects in open and closed windows, until they are released or erased. */
package io.sfumato.topology.dataset;
