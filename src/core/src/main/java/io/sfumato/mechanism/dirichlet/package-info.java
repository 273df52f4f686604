/**
 * The Dirichlet mechanism: y ~ Dirichlet(r f + a) for a histogram f (Ponnoprat, TMLR 2023), with
 * the paper's calibration and the exact one.
 *
 * <p>Start with {@link DirichletMechanism} and {@link DirichletBound}, which names the neighbours
 * and bounds the loss. {@link PaperTheorem1} is the paper's bound; {@link TheoremA}, {@link
 * TheoremB}, {@link TheoremC} and {@link TheoremG} are tighter ones.
 */
package io.sfumato.mechanism.dirichlet;
