/**
 * The papers' experiments, on data from outside the project. Uses mechanisms and accounting only;
 * public seeds make every figure repeatable.
 */
package io.sfumato.experiment;
