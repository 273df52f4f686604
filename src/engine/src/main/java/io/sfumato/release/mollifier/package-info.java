/** Synthetic items of every enrolled subject. */
package io.sfumato.release.mollifier;
