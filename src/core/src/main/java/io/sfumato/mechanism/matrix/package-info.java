/**
 * Running sums by factorisation, A = B C: noise on the rows C x, and B that makes running sums of
 * them. Over windows or over bins of values; it knows of neither.
 */
package io.sfumato.mechanism.matrix;
