package io.sfumato.mechanism.abc;

/** How the candidates of one query are answered, once its N and T are known. */
public sealed interface Answering permits RejectionCoin, SoftWeights, SparseVector {
  /** Scale of the noise in the unit of distances; public. */
  double scale();
}
