/** What a mechanism is, seen from the topology: a charge fixed beforehand, and one draw. */
package io.sfumato.mechanism;
