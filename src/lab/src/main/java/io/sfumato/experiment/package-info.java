/**
 * The papers' experiments, on data that lies outside the project. Built on mechanisms and
 * accounting only; public seeds, so that every figure can be repeated.
 */
package io.sfumato.experiment;
