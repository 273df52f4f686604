/**
 * The Dirichlet mechanism: y ~ Dirichlet(r f + a) for a histogram f (Ponnoprat, TMLR 2023), with
 * the paper's calibration and the exact one.
 */
package io.sfumato.mechanism.dirichlet;
