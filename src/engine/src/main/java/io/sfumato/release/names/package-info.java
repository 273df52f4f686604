/** Partition selection of categories: which names exist, and a private count of each. */
package io.sfumato.release.names;
