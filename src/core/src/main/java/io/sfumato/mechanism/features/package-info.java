/** Sums of random features: the query and its sensitivity. */
package io.sfumato.mechanism.features;
