/** Attacks on our own mechanisms: does what is drawn keep what is claimed? */
package io.sfumato.audit;
