/** Names of categories that nobody listed: which there are, and private counts of each. */
package io.sfumato.release.names;
