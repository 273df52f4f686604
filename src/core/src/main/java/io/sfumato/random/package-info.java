/**
 * Randomness that survives a crash: keyed, replayable streams and exact samplers over them.
 *
 * <p>Nothing here knows of Kafka or of any mechanism. A draw is a pure function of the secret, the
 * release id and the digest of the mechanism's input, so a retry reproduces the same bytes.
 *
 * <p>Start with {@link KeyedRandom}, a stream of ChaCha20 (RFC 8439) under one key. {@link
 * DiscreteGaussian} and {@link DiscreteLaplace} are the samplers of Canonne, Kamath, Steinke 2020.
 */
package io.sfumato.random;
