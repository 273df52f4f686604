/** One noisy sum of random features: sensitivity, least noise, draw and charge. */
package io.sfumato.mechanism.features;
