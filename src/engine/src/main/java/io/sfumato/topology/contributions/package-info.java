/** Where users are protected: what of a user counts, before subjects are looked at. */
package io.sfumato.topology.contributions;
