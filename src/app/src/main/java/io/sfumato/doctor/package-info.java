/**
 * Looks at a cluster and a machine before production: what could lose a charge or show too much.
 */
package io.sfumato.doctor;
