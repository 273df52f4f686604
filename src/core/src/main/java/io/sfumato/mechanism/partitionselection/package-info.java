/**
 * Which names there are, of those that nobody listed: noisy counts by name, published from a
 * threshold on that names of one user alone pass next to never.
 */
package io.sfumato.mechanism.partitionselection;
