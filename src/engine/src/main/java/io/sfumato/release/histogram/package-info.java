/** Distributions over categories: by a Dirichlet draw, or noise on every count. */
package io.sfumato.release.histogram;
