/**
 * Checks of a cluster and a machine before production: settings that could lose a charge or expose
 * data.
 */
package io.sfumato.doctor;
